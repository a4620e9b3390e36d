/** What stood at a past instant, as the store has it, on every engine. */
import { DAY_MS, INTERVALS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBarsEndedBy } from "../bars/read.ts";
import { upsertBars } from "../bars/write.ts";
import type { Store } from "../store.ts";
import { testEngines } from "../testing/engines.ts";
import { barRow, fxTable, NOON_MS, tick } from "../testing/rows.ts";
import { readReferenceDays, readReferences } from "./fx-tables.ts";
import { writeMoment } from "./moment.ts";
import { readSettlementsKnownAt } from "./settlements.ts";
import { readTickAt } from "./ticks.ts";

const WRITER = { token: 1, holder: "one" };
const GOLD = "XAU-USD-SPOT";
const DAY_START_MS = startOfUtcDay(NOON_MS);

describe.each(testEngines)("the past on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
    const settlement = { symbol: "GC", futuresContract: "GCZ26", price: "4010.5", volume: null, openInterest: null } as const;
    const settled = (settlementDate: string, observedAtMs: number) => ({
      ...{ ...settlement, settlementDate, observedAtMs, fetchedAtMs: observedAtMs },
      ...({ source: "cme-files", sourceType: "official_settlement" } as const),
    });
    const reference = (days: number, rates: Record<string, string>) =>
      fxTable({ source: "ecb", role: "reference", base: "EUR", rates, observedAtMs: DAY_START_MS - days * DAY_MS });
    await writeMoment(store, WRITER, {
      ticks: [tick(1, { computedAtMs: NOON_MS - 2_000 }), tick(2, { computedAtMs: NOON_MS - 1_000 }), tick(3)],
      bars: [],
      fx: [
        reference(3, { USD: "1.10", JPY: "176" }),
        reference(2, { USD: "1.11" }),
        reference(1, { JPY: "178" }),
        reference(0, { USD: "1.12", JPY: "179" }),
        { ...reference(0, { USD: "1.13", JPY: "180" }), observedAtMs: DAY_START_MS + 15 * 3_600_000 },
        fxTable({ base: "EUR", rates: { USD: "9", JPY: "9" } }),
      ],
      settlements: [settled("2026-11-18", NOON_MS - 2 * DAY_MS), settled("2026-11-19", NOON_MS - DAY_MS + 1)],
    });
    await upsertBars(
      store,
      [
        barRow({ barStartMs: NOON_MS - 2 * MINUTE_MS, close: "4001" }),
        barRow({ barStartMs: NOON_MS - MINUTE_MS, close: "4002" }),
        barRow({ isClosed: false }),
        barRow({ interval: "1d", barStartMs: DAY_START_MS - DAY_MS, close: "3990" }),
        barRow({ interval: "1d", barStartMs: DAY_START_MS, close: "4002", isClosed: false }),
      ],
      { writer: WRITER },
    );
  }, 120_000);
  afterAll(() => store.close());

  test("has the newest tick that is not after the instant, and those before it", async () => {
    const seqs = [0, 999, 1_000, 5_000].map((ms) => NOON_MS - 2_000 + ms);
    expect(await Promise.all(seqs.map(async (atMs) => (await readTickAt(store, GOLD, atMs))?.seq))).toEqual([1, 1, 2, 3]);
    expect(await readTickAt(store, GOLD, NOON_MS - 2_001)).toBeNull();
    expect(await readTickAt(store, "XAG-USD-SPOT", NOON_MS)).toBeNull();
    expect((await readTickAt(store, GOLD, NOON_MS, 3))?.seq).toBe(2);
  });

  test("has each interval's newest bar that had ended by then, never a forming one", async () => {
    const closes = async (atMs: number) =>
      (await readBarsEndedBy(store, GOLD, INTERVALS, atMs)).map(({ interval, close }) => `${interval} ${close}`);
    expect(await closes(NOON_MS)).toEqual(["1m 4002", "1d 3990"]);
    expect(await closes(NOON_MS - 1)).toEqual(["1m 4001", "1d 3990"]);
    expect(await closes(NOON_MS + DAY_MS)).toEqual(["1m 4002", "1d 3990"]);
    expect(await closes(DAY_START_MS - 1)).toEqual([]);
    expect(await closes(-3e11)).toEqual([]);
  });

  test("has the settlements that were known then, of the days since another", async () => {
    const days = async (sinceMs: number, atMs: number) =>
      (await readSettlementsKnownAt(store, "GC", sinceMs, atMs)).map(({ settlementDate }) => settlementDate);
    expect(await days(NOON_MS - 9 * DAY_MS, NOON_MS)).toEqual(["2026-11-18", "2026-11-19"]);
    expect(await days(NOON_MS - 9 * DAY_MS, NOON_MS - DAY_MS)).toEqual(["2026-11-18"]);
    expect(await days(NOON_MS - DAY_MS, NOON_MS)).toEqual(["2026-11-19"]);
  });

  test("has the reference tables of some days, never a live one", async () => {
    const usd = async (fromMs: number, beforeMs: number) =>
      (await readReferences(store, fromMs, beforeMs)).map(({ rates }) => rates.USD ?? "none");
    expect(await usd(DAY_START_MS - 2 * DAY_MS, DAY_START_MS + DAY_MS)).toEqual(["1.11", "none", "1.12", "1.13"]);
    expect(await usd(DAY_START_MS - DAY_MS + 1, DAY_START_MS)).toEqual([]);
  });

  test("has a currency's reference rates of every day it has with the dollar, the later table of a day last", async () => {
    const daysOf = async (currency: string) => (await readReferenceDays(store, "EUR", currency)).days;
    const days = await daysOf("JPY");
    expect(days).toEqual([
      { day: "2026-11-17", rates: { USD: "1.10", JPY: "176" } },
      { day: "2026-11-20", rates: { USD: "1.12", JPY: "179" } },
      { day: "2026-11-20", rates: { USD: "1.13", JPY: "180" } },
    ]);
    expect((await daysOf("EUR")).map(({ rates }) => rates.USD)).toEqual(["1.10", "1.11", "1.12", "1.13"]);
    expect(await daysOf("XXX")).toEqual([]);
  });
});
