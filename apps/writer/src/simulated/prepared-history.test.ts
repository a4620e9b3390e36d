/** A store that begins with the prepared history ends up as one that wrote all of it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "@assay/contract";
import { claimFence, readFenceToken, type Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { machineTime } from "@assay/ports";
import { silentProgress } from "@assay/process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Gaps } from "../backfill/history-gaps.ts";
import { shortDays } from "../testing/in-process.ts";
import { openSimulatedMarket } from "./market.ts";
import { preparedHistory, prepareHistory } from "./prepared-history.ts";

/** Early in the history, so that the daily bars are few, and after the first two years. */
const NOW_MS = Date.parse("1998-01-20T01:07:08.900Z");
/** A build of another day. */
const DAYS = 10;
const MARKET = { seed: 7, hours: "always" } as const;

describe("a first start", () => {
  const stores: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await openTestStore();
    stores.push(store);
    return store;
  };
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));

  const begin = async (store: Store): Promise<void> => {
    const writer = { token: (await readFenceToken(store)) + 1, holder: "writer" };
    await claimFence(store, writer.token, writer.holder);
    const gaps = await Gaps.read(store, writer);
    const thread = shortDays.bars();
    const writing = {
      store,
      writer,
      gaps,
      thread,
      progress: silentProgress,
      nowMs: NOW_MS,
      clock: machineTime,
      mayWrite: () => true,
    };
    await (await openSimulatedMarket({ ...MARKET, historyDays: 1 }).makeNewest(writing))();
  };

  /** Every row of a table, as text. */
  const rowsOf = async (store: Store, table: "bars" | "settlements"): Promise<string[]> => {
    const result: unknown = await store.run((db) =>
      db.execute(`select (to_jsonb(${table}) - 'revision')::text as row from ${table} order by 1`),
    );
    const rows = Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows; // the two drivers' forms
    return (rows as { row: string }[]).map(({ row }) => row);
  };

  test("days after the build stores what it would have stored without", async () => {
    const [prepared, empty] = [await open(), await open()];
    const { untilMs } = await prepareHistory(prepared, MARKET, NOW_MS - DAYS * DAY_MS);
    expect(NOW_MS - untilMs).toBeLessThan((DAYS + 1) * DAY_MS);
    expect((await rowsOf(prepared, "bars")).filter((row) => row.includes('"is_closed": false'))).toEqual([]);
    await begin(prepared);
    await begin(empty);
    const bars = await rowsOf(prepared, "bars");
    expect(bars.length).toBeGreaterThan(8_000);
    expect(bars.some((row) => row.includes('"is_closed": false'))).toBe(true);
    expect(bars).toEqual(await rowsOf(empty, "bars"));
    // Those of before the two years, which the build still had, stay.
    const settlements = new Set(await rowsOf(prepared, "settlements"));
    const wanted = await rowsOf(empty, "settlements");
    expect(wanted.length).toBeGreaterThan(1_000);
    expect(wanted.filter((row) => !settlements.has(row))).toEqual([]);
  });
});

describe("the prepared history", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-prepared-"));
    await writeFile(join(folder, "market.json"), JSON.stringify({ ...MARKET, untilMs: NOW_MS }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("is that of its own market, from its last day on", () => {
    const database = join(folder, "database");
    expect(preparedHistory(MARKET, NOW_MS, folder)).toBe(database);
    expect(preparedHistory(MARKET, NOW_MS + 900 * DAY_MS, folder)).toBe(database);
    expect(preparedHistory(MARKET, NOW_MS - 1, folder)).toBeUndefined();
    expect(preparedHistory({ ...MARKET, seed: 8 }, NOW_MS, folder)).toBeUndefined();
    expect(preparedHistory({ ...MARKET, hours: "market" }, NOW_MS, folder)).toBeUndefined();
  });

  test("is none where nothing was built", () => {
    expect(preparedHistory(MARKET, NOW_MS, join(folder, "nowhere"))).toBeUndefined();
  });
});
