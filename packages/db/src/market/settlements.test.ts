/** Writing and reading futures settlements, on every engine. */
import type { SettlementRow } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StaleTokenError } from "../errors.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS, settlementRow } from "../testing/rows.ts";
import { writeMoment } from "./moment.ts";
import { readLastSettledDay, readNewestSettlements, readSettledDays, readSettlements } from "./settlements.ts";

const WRITER = { token: 7, holder: "writer-a" };
const LATER_MS = NOON_MS + 86_400_000;

describe.each(testEngines)("settlements on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  const write = (...settlements: SettlementRow[]) => writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], settlements });
  const read = (day: string, futuresContract = "GCZ26", asOfMs = LATER_MS) =>
    readSettlements(store, "GC", [{ day, futuresContract }], asOfMs);

  test("return every digit and count, and null for what was not stated", async () => {
    const row = settlementRow({ price: "4380.399902", volume: 151_459, openInterest: null });
    await write(row);
    expect(await readNewestSettlements(store, "2026-11-01")).toEqual([row]);
    expect(await read(row.settlementDate)).toEqual([{ ...row, priorPrice: null }]);
  });

  test("keep the first time of a row that is only repeated, and accept a changed figure", async () => {
    const row = settlementRow();
    await write(row);
    await write({ ...row, fetchedAtMs: row.fetchedAtMs + 60_000 });
    expect(await readNewestSettlements(store, "2026-11-01")).toEqual([row]);
    const changed = { ...row, openInterest: 5, fetchedAtMs: row.fetchedAtMs + 120_000 };
    await write(changed);
    expect(await readNewestSettlements(store, "2026-11-01")).toEqual([changed]);
  });

  test("return the correction once it was published, and the first figure as of before", async () => {
    const first = settlementRow({ price: "4000.00" });
    const corrected = { ...first, price: "4001.00", observedAtMs: first.observedAtMs + 3_600_000 };
    await write(corrected, first);
    expect(await read(first.settlementDate)).toMatchObject([{ price: "4001.00" }]);
    expect(await read(first.settlementDate, "GCZ26", corrected.observedAtMs - 1)).toMatchObject([{ price: "4000.00" }]);
    expect(await read(first.settlementDate, "GCZ26", first.observedAtMs - 1)).toEqual([]);
  });

  test("prefer the exchange's own figure to a later proxy", async () => {
    const official = settlementRow({ source: "cme-files", sourceType: "official_settlement", price: "4010.10" });
    await write(official, settlementRow({ price: "4012.00", observedAtMs: official.observedAtMs + 60_000 }));
    expect(await read(official.settlementDate)).toMatchObject([{ price: "4010.10", source: "cme-files" }]);
  });

  test("compare a settlement with the previous one of the same contract, over weekends and gaps", async () => {
    await write(
      settlementRow({ settlementDate: "2026-11-10", price: "3990.00" }),
      settlementRow({ settlementDate: "2026-11-13", price: "4000.00" }),
      settlementRow({ settlementDate: "2026-11-16", price: "4004.50" }),
      settlementRow({ settlementDate: "2026-11-13", futuresContract: "GCG27", price: "4040.00" }),
      settlementRow({ settlementDate: "2026-11-13", symbol: "SI", futuresContract: "SIZ26", price: "48.5" }),
    );
    expect(await read("2026-11-16")).toMatchObject([{ price: "4004.50", priorPrice: "4000.00" }]);
    expect(await read("2026-11-13")).toMatchObject([{ price: "4000.00", priorPrice: "3990.00" }]);
    expect(await read("2026-11-13", "GCG27")).toMatchObject([{ price: "4040.00", priorPrice: null }]);
  });

  test("name the contracts of the newest days of a window, inclusive at both ends", async () => {
    await write(
      ...["2026-11-12", "2026-11-13", "2026-11-16", "2026-11-17"].map((settlementDate) => settlementRow({ settlementDate })),
      settlementRow({ settlementDate: "2026-11-13", futuresContract: "GCG27" }),
    );
    const window = { symbol: "GC", from: "2026-11-12", to: "2026-11-16", asOfMs: LATER_MS } as const;
    expect(await readSettledDays(store, { ...window, limit: 2 })).toEqual([
      { day: "2026-11-16", contracts: ["GCZ26"] },
      { day: "2026-11-13", contracts: ["GCG27", "GCZ26"] },
    ]);
    expect(await readSettledDays(store, { ...window, limit: 365 })).toHaveLength(3);
    expect(await readLastSettledDay(store, "alpha")).toBe("2026-11-17");
    expect(await readLastSettledDay(store, "beta")).toBeNull();
  });

  test("refuse a replaced writer and keep nothing of its write", async () => {
    await claimFence(store, 8, "writer-b");
    await expect(write(settlementRow())).rejects.toThrow(StaleTokenError);
    expect(await readNewestSettlements(store, "2026-01-01")).toEqual([]);
  });
});
