/** Which price stood, where some of what is stored must not be shown, or is missing. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import { type Store, upsertBars, writeMoment } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import type { BeliefState } from "@assay/pricing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closedBar } from "../testing/closed-bar.ts";
import { goldTick as tick } from "../testing/rows.ts";
import { type PastQuestion, pastPrice } from "./past-price.ts";

const GOLD = "XAU-USD-SPOT";
/** A Friday, at the end of an hour. */
const AT_MS = Date.UTC(2026, 10, 20, 14);
const WRITER = { token: 1, holder: "one" };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const belief = (change: Partial<BeliefState>): BeliefState => ({
  instrument: GOLD,
  anchor: null,
  last: null,
  probation: null,
  hidden: false,
  withdrawn: [],
  ...change,
});

const question: PastQuestion = { instrument: GOLD, atMs: AT_MS, reach: "intraday", closedSinceMs: null };
const found = async (state: BeliefState | undefined, change: Partial<PastQuestion> = {}): Promise<readonly string[] | null> => {
  const past = await pastPrice(store, state, { ...question, ...change });
  return past && [past.price.price, past.basis];
};

test("ticks that were withdrawn or are hidden do not count: the last one before them does", async () => {
  const ticks = [1, 2, 3, 4, 5, 6].map((seq) => tick(seq, AT_MS - 60_000 + seq * 1_000));
  await writeMoment(store, WRITER, { ticks, bars: [], fx: [] });
  expect(await found(undefined)).toEqual(["4006.00", "tick"]);
  const withdrawn = [{ fromSeq: 5, toSeq: 6, atMs: AT_MS }];
  expect(await found(belief({ withdrawn }))).toEqual(["4004.00", "tick"]);
  const probation = { fromSeq: 3, fromMs: AT_MS - 57_000, by: ["alpha"], untilMs: null, bars: [] };
  expect(await found(belief({ probation }))).toEqual(["4006.00", "tick"]);
  expect(await found(belief({ probation, hidden: true }))).toEqual(["4002.00", "tick"]);
  expect(await found(belief({ probation, hidden: true, withdrawn: [{ fromSeq: 1, toSeq: 2, atMs: AT_MS }] }))).toBeNull();
});

test("while ticks are hidden, no bar counts that may hold any", async () => {
  const minutes = [3, 2, 1].map((back) => closedBar(GOLD, "1m", AT_MS - back * MINUTE_MS, { close: `390${back}` }));
  await upsertBars(store, minutes);
  const probation = { fromSeq: 3, fromMs: AT_MS - 90_000, by: ["alpha"], untilMs: null, bars: [] };
  expect(await found(belief({ probation }))).toEqual(["3901", "1m"]);
  expect(await found(belief({ probation, hidden: true }))).toEqual(["3903", "1m"]);
});

test("a longer bar counts where the shorter ones are missing, and not where they only ended with the market", async () => {
  const midnightMs = AT_MS - 14 * HOUR_MS;
  const closedMs = midnightMs - 2 * HOUR_MS;
  await upsertBars(store, [
    closedBar(GOLD, "1m", closedMs - MINUTE_MS, { close: "3901" }),
    closedBar(GOLD, "1d", midnightMs - DAY_MS, { close: "3902" }),
  ]);
  const atMs = midnightMs + HOUR_MS;
  expect(await found(undefined, { atMs }), "trading went on without minutes").toEqual(["3902", "1d"]);
  expect(await found(undefined, { atMs, closedSinceMs: closedMs }), "the market had closed").toEqual(["3901", "1m"]);
  expect(await found(undefined, { atMs, closedSinceMs: closedMs, reach: "daily" })).toEqual(["3902", "1d"]);
  expect(await found(undefined, { atMs: midnightMs - DAY_MS })).toBeNull();
});

test("the close of a day is its bar's, although a tick was published after the last trade of the bar", async () => {
  const midnightMs = AT_MS - 14 * HOUR_MS;
  await upsertBars(store, [closedBar(GOLD, "1d", midnightMs - DAY_MS, { close: "3902" })]);
  await writeMoment(store, WRITER, { ticks: [tick(1, midnightMs - 1_000)], bars: [], fx: [] });
  expect(await found(undefined, { atMs: midnightMs })).toEqual(["4001.00", "tick"]);
  expect(await found(undefined, { atMs: midnightMs, reach: "day" })).toEqual(["3902", "1d"]);
});
