/** Writing and reading dealers' quotes, on every engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StaleTokenError } from "../errors.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { dealerTick, NOON_MS } from "../testing/rows.ts";
import { pruneDealerQuotes, readDealerChanges, readNewestDealerQuotes, writeDealerQuotes } from "./dealer-quotes.ts";

const WRITER = { token: 7, holder: "writer-a" };
const seqs = (ticks: readonly { country: string; seq: number }[]) => ticks.map(({ country, seq }) => `${country} ${seq}`);

describe.each(testEngines)("dealers' quotes on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(() => emptyTables(store));
  afterAll(() => store.close());

  const coin = { id: "bnm:kijang-half", source: "bnm", country: "MY", weight: "0.5", weightUnit: "oz", currency: "MYR" } as const;
  const write = (...ticks: Parameters<typeof writeDealerQuotes>[2]) => writeDealerQuotes(store, WRITER, ticks);

  test("come back digit for digit, and null for an unstated side and fineness", async () => {
    const whole = dealerTick(1, { sell: "15200000.500", karat: 21.6, product: 'नेपाल "छापावाल", \\', observedAtMs: NOON_MS - 7 });
    const bare = dealerTick(1, { ...coin, buyback: null, fineness: null, taxIncluded: true });
    await write(whole, bare);
    expect(await readNewestDealerQuotes(store)).toEqual([whole, bare]);
  });

  test("keep every change, and know the newest of each product and the last number of each country", async () => {
    const gram = { id: "lukfook:bar-gram", weightUnit: "gram" } as const;
    await write(dealerTick(1), dealerTick(2, gram), dealerTick(3, { sell: "38500" }), dealerTick(1, coin));
    await write(dealerTick(4, { sell: "38510" }));
    expect(seqs(await readNewestDealerQuotes(store))).toEqual(["HK 2", "HK 4", "MY 1"]);
    expect(seqs(await readDealerChanges(store, 0))).toEqual(["HK 1", "HK 2", "HK 3", "HK 4", "MY 1"]);
  });

  test("are read since an instant, with the last one before it for each country", async () => {
    await write(dealerTick(1), dealerTick(2), dealerTick(3), dealerTick(1, coin));
    expect(seqs(await readDealerChanges(store, NOON_MS + 3_000))).toEqual(["HK 2", "HK 3", "MY 1"]);
    expect(await readDealerChanges(store, NOON_MS + 1_000_000)).toEqual([dealerTick(3), dealerTick(1, coin)]);
  });

  test("refuse a number that is taken, and keep nothing of that write", async () => {
    await write(dealerTick(1));
    await expect(write(dealerTick(2), dealerTick(1, { sell: "1" }))).rejects.toMatchObject({ code: "23505" });
    expect(await readNewestDealerQuotes(store)).toEqual([dealerTick(1)]);
  });

  test("refuse an old writer, and keep nothing of its write", async () => {
    await claimFence(store, 8, "writer-b");
    await expect(write(dealerTick(1))).rejects.toThrow(StaleTokenError);
    expect(await readNewestDealerQuotes(store)).toEqual([]);
  });

  test("drop old changes, but never a product's newest", async () => {
    await write(dealerTick(1), dealerTick(2, coin), dealerTick(3), dealerTick(4));
    await pruneDealerQuotes(store, NOON_MS + 4_000);
    expect(seqs(await readDealerChanges(store, 0))).toEqual(["HK 4", "MY 2"]);
    await pruneDealerQuotes(store, NOON_MS + 1_000_000);
    expect(seqs(await readNewestDealerQuotes(store))).toEqual(["HK 4", "MY 2"]);
  });

  test("drop old changes of the given sources, and leave the others", async () => {
    await write(dealerTick(1), dealerTick(2), dealerTick(1, coin), dealerTick(2, coin));
    await pruneDealerQuotes(store, NOON_MS + 1_000_000, ["simulated-my", coin.source]);
    expect(seqs(await readDealerChanges(store, 0))).toEqual(["HK 1", "HK 2", "MY 2"]);
    await pruneDealerQuotes(store, NOON_MS + 1_000_000, []);
    expect(seqs(await readDealerChanges(store, 0))).toEqual(["HK 1", "HK 2", "MY 2"]);
  });

  test("are empty at first", async () => {
    expect(await readNewestDealerQuotes(store)).toEqual([]);
    expect(await readDealerChanges(store, 0)).toEqual([]);
  });
});
