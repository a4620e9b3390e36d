/** Bars written by COPY, on a real server. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StoreUnavailableError } from "../errors.ts";
import { rowsOf, type Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, minutes, NOON_MS } from "../testing/rows.ts";
import { type BarCopy, openBarCopy } from "./copy.ts";
import { readBars } from "./read.ts";
import { upsertBars } from "./write.ts";

const EVERYTHING = { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: Date.UTC(2100, 0, 1), limit: 1_000_000 } as const;

describe("the embedded engine", () => {
  it("has no copy", async () => {
    const [embedded] = testEngines;
    const store = await embedded?.open();
    expect(store && (await openBarCopy(store))).toBeNull();
    await store?.close();
  });
});

describe.each(testEngines.filter(({ name }) => name === "PostgreSQL"))("a copy of bars into $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(() => emptyTables(store));
  afterAll(() => store.close());

  const begin = async (): Promise<BarCopy> => {
    const copy = await openBarCopy(store);
    if (!copy) throw new Error("there is no copy");
    return copy;
  };
  const stored = () => readBars(store, EVERYTHING);

  it("leaves the same rows as an upsert", async () => {
    const rows = [
      ...minutes(3_000, { volume: "12.5000" }),
      barRow({ barStartMs: NOON_MS - 60_000, isClosed: false, sourceId: 'a\tb\\N\n"c"' }),
    ];
    await upsertBars(store, rows);
    const expected = await stored();
    await emptyTables(store);
    const copy = await begin();
    expect([await copy.add(rows.slice(0, 1_500)), await copy.add(rows.slice(1_500))]).toEqual([true, true]);
    expect(await stored()).toEqual([]);
    expect(await copy.finish()).toBe(true);
    expect(await stored()).toEqual(expected);
  });

  it.each([
    ["the first of few rows", 10, 0],
    ["the last of few rows, which the server looks at only when they have ended", 10, 9],
    ["one in the midst of many", 200_000, 100_000],
    ["the last of many", 200_000, 199_999],
  ])("keeps nothing when a bar already exists: %s", async (_where, count, place) => {
    const rows = minutes(count);
    const there = { ...barRow(), ...rows[place], open: "4003.5" };
    await upsertBars(store, [there]);
    const copy = await begin();
    for (let start = 0; start < count; start += 10_000) await copy.add(rows.slice(start, start + 10_000));
    expect(await copy.finish()).toBe(false);
    expect(await stored()).toEqual([there]);
  });

  it("accepts nothing more once the server has refused a bar", async () => {
    await upsertBars(store, [barRow()]);
    const copy = await begin();
    await expect.poll(() => copy.add(minutes(20_000))).toBe(false);
    expect(await copy.finish()).toBe(false);
    expect(await stored()).toHaveLength(1);
  });

  it("keeps nothing when it is abandoned", async () => {
    const copy = await begin();
    await copy.add(minutes(5_000));
    await copy.abandon();
    await upsertBars(store, minutes(5));
    expect(await stored()).toHaveLength(5);
  });

  it.each(["add", "finish"] as const)("reports an unreachable server when its connection is cut before %s", async (step) => {
    const copy = await begin();
    await copy.add(minutes(5_000));
    const cut = sql`
      select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy bars%' and datname = current_database()`;
    expect(await store.run((db) => rowsOf(db, cut))).toHaveLength(1);
    const sendOn = async (): Promise<never> => {
      for (;;) await copy.add(minutes(20_000));
    };
    await expect(step === "finish" ? copy.finish() : sendOn()).rejects.toThrow(StoreUnavailableError);
    // Aborting is allowed at any point, and twice.
    await copy.abandon();
    await copy.abandon();
    expect(await stored()).toEqual([]);
  });
});
