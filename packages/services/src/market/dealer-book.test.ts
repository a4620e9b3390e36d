/** One process's view of the dealers: from the store, from the bus, and how fresh. */
import { DAY_MS } from "@assay/contract";
import { type Store, writeDealerQuotes } from "@assay/db";
import { emptyTables, openEmbeddedStore } from "@assay/db/testing";
import {
  DEALERS_DOCUMENT_KEY,
  FEEDS_DOCUMENT_KEY,
  type FeedHealthEntry,
  type Live,
  openMemoryLive,
  silentLog,
} from "@assay/live";
import { asProduct, type DealerTick } from "@assay/pricing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { DealerBook } from "./dealer-book.ts";

/** 2026-11-20T14:00:00Z. */
const FRIDAY_MS = Date.UTC(2026, 10, 20, 14);
const WRITER = { token: 1, holder: "writer" };
const tick = (seq: number, sell: string, change: Partial<DealerTick> = {}): DealerTick => ({
  ...asProduct({
    source: "souk",
    country: "AE",
    dealer: "Souk",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weightUnit: "gram",
    currency: "AED",
    sell,
    buyback: null,
    observedAtMs: FRIDAY_MS,
  }),
  seq,
  fetchedAtMs: FRIDAY_MS + seq * 1_000,
  ...change,
});
const event = (...quotes: DealerTick[]) => ({ kind: "dealer-quotes", token: 1, atMs: FRIDAY_MS, quotes }) as const;

let store: Store;
let live: Live;
let book: DealerBook;
const warnings: string[] = [];
beforeAll(async () => {
  store = await openEmbeddedStore();
});
beforeEach(async () => {
  await emptyTables(store);
  live = openMemoryLive({ clock: () => FRIDAY_MS });
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  book = new DealerBook({ store, live, log });
});
afterEach(() => live.close());
afterAll(() => store.close());

const sells = () => book.quotes("AE", FRIDAY_MS).map(({ quote }) => quote.sell);
const put = (key: string, value: unknown) => live.latest.put(key, JSON.stringify(value), { token: 1, atMs: FRIDAY_MS });

test("knows the newest quote of each product from the store, and what changed since from the bus", async () => {
  await writeDealerQuotes(store, WRITER, [tick(1, "470"), tick(2, "471"), tick(3, "500", { id: "coin" })]);
  await book.load();
  expect(sells()).toEqual(["500", "471"]);
  expect(book.apply(event(tick(4, "472")))).toBe(false);
  expect(sells()).toEqual(["500", "472"]);
});

test("applies a change once, and never an older one after a newer", async () => {
  book.apply(event(tick(1, "470"), tick(2, "471")));
  expect(book.apply(event(tick(1, "470"), tick(2, "471")))).toBe(false);
  expect(sells()).toEqual(["471"]);
});

test("detects a number that is too high, and has all of it once the store is read", async () => {
  await writeDealerQuotes(store, WRITER, [tick(1, "470"), tick(2, "500", { id: "coin" }), tick(3, "471")]);
  expect(book.apply(event(tick(1, "470")))).toBe(false);
  expect(book.apply(event(tick(3, "471")))).toBe(true);
  await book.load();
  expect(sells()).toEqual(["500", "471"]);
});

test("accepts a restarted numbering", async () => {
  book.apply(event(tick(9, "470")));
  book.apply(event(tick(1, "480", { fetchedAtMs: FRIDAY_MS + DAY_MS })));
  expect(sells()).toEqual(["480"]);
});

test("follows readings that changed nothing, at most once a second", async () => {
  book.apply(event(tick(1, "470")));
  const held = () => book.quotes("AE", FRIDAY_MS)[0];
  expect(held()).toMatchObject({ fetchedAtMs: FRIDAY_MS + 1_000, freshUntilMs: FRIDAY_MS + 1_000 });
  const reading = { fetchedAtMs: FRIDAY_MS + 60_000, observedAtMs: FRIDAY_MS + 59_000, freshUntilMs: FRIDAY_MS + 240_000 };
  await put(DEALERS_DOCUMENT_KEY, { AE: { [tick(1, "470").id]: reading } });
  await book.refresh(FRIDAY_MS);
  expect(held()).toMatchObject({
    quote: { sell: "470", observedAtMs: FRIDAY_MS + 59_000 },
    fetchedAtMs: FRIDAY_MS + 60_000,
    freshUntilMs: FRIDAY_MS + 240_000,
  });
  await live.latest.put(DEALERS_DOCUMENT_KEY, "{}", { token: 2, atMs: FRIDAY_MS });
  await book.refresh(FRIDAY_MS + 999);
  expect(held()?.fetchedAtMs).toBe(FRIDAY_MS + 60_000);
  await book.refresh(FRIDAY_MS + 1_000);
  expect(held()?.fetchedAtMs).toBe(FRIDAY_MS + 1_000);
});

test("shows a change as read when it was made until its reading is published", async () => {
  const reading = { fetchedAtMs: FRIDAY_MS, observedAtMs: FRIDAY_MS, freshUntilMs: FRIDAY_MS + 180_000 };
  await put(DEALERS_DOCUMENT_KEY, { AE: { [tick(1, "470").id]: reading } });
  await book.refresh(FRIDAY_MS);
  book.apply(event(tick(5, "470")));
  expect(book.quotes("AE", FRIDAY_MS)[0]).toMatchObject({ fetchedAtMs: FRIDAY_MS + 5_000, freshUntilMs: FRIDAY_MS + 180_000 });
});

test("leaves out a product that was not read for a week", () => {
  book.apply(event(tick(1, "470"), tick(2, "500", { id: "coin", fetchedAtMs: FRIDAY_MS + DAY_MS })));
  expect(book.quotes("AE", FRIDAY_MS + 7 * DAY_MS + 2_000).map(({ quote }) => quote.id)).toEqual(["coin"]);
});

test("names a country's sources that fail or fell silent, and no other country's", async () => {
  const feed = (change: Partial<FeedHealthEntry>): FeedHealthEntry => ({
    required: false,
    expectedIntervalMs: 60_000,
    lastSuccessAtMs: FRIDAY_MS,
    consecutiveFailures: 0,
    rejectedObservations: 0,
    lastError: null,
    ...change,
  });
  book.apply(event(tick(1, "470")));
  const feeds = {
    souk: feed({ consecutiveFailures: 2, lastError: "malformed" }),
    well: feed({ country: "AE" }),
    quiet: feed({ country: "AE", lastSuccessAtMs: FRIDAY_MS - 120_001 }),
    new: feed({ country: "AE", lastSuccessAtMs: null }),
    elsewhere: feed({ country: "VN", consecutiveFailures: 1 }),
  };
  await put(FEEDS_DOCUMENT_KEY, { atMs: FRIDAY_MS, simulated: false, feeds });
  await book.refresh(FRIDAY_MS);
  expect(book.errors("AE", FRIDAY_MS)).toEqual(["souk: malformed", "quiet: not read since 2026-11-20T13:57:59Z"]);
  expect(book.errors("VN", FRIDAY_MS)).toEqual(["elsewhere: does not answer"]);
  expect(book.errors("IN", FRIDAY_MS)).toEqual([]);
});

test("serves what it knows while the live engine is down", async () => {
  book.apply(event(tick(1, "470")));
  const get = live.latest.get;
  live.latest.get = async () => Promise.reject(new Error("away"));
  await book.refresh(FRIDAY_MS);
  live.latest.get = get;
  expect(sells()).toEqual(["470"]);
  expect(warnings).toEqual(["failed to load dealer freshness"]);
});
