/** The day of a cross: its first price and the last of the day before, as they were published in its currency. */
import { DAY_MS, MINUTE_MS, TIER_REACH } from "@assay/contract";
import { openTestStore } from "@assay/db/testing";
import type { MarketEvent } from "@assay/live";
import { type BarRow, PRICE_SYMBOLS, type RateSet, type Tick } from "@assay/pricing";
import { expect, test } from "vitest";
import { MarketView } from "../market/market-view.ts";
import { closedBar } from "../testing/closed-bar.ts";
import { goldTick } from "../testing/rows.ts";
import { presentRow } from "./present-row.ts";

const GOLD = "XAU-USD-SPOT";
/** A Friday. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
const STATS = { sources: false, parts: false, karat: false, stats: true };

const tick = (seq: number, computedAtMs: number, price: string, rateSet: number): Tick =>
  goldTick(seq, computedAtMs, { price, rateSet });
const set = (id: number, eur: string, beganAtMs: number): RateSet => ({
  ...{ id, beganAtMs, rates: { EUR: [eur, 0] } },
  origins: [{ source: "live-fx", role: "live", atMs: beganAtMs, freshUntilMs: beganAtMs + MINUTE_MS }],
});

const last = tick(1, MIDNIGHT_MS - 1_000, "4000.00", 1);
const first = tick(2, MIDNIGHT_MS, "4010.00", 2);
const now = tick(3, MIDNIGHT_MS + MINUTE_MS, "4020.00", 3);
const opens = { price: first.price, atMs: first.computedAtMs, rateSet: 2 };
const before = { price: last.price, atMs: last.computedAtMs, rateSet: 1 };
const closes = closedBar(GOLD, "1d", MIDNIGHT_MS - DAY_MS, { close: "4000" });
const forming: BarRow = {
  ...closes,
  barStartMs: MIDNIGHT_MS,
  open: "4010.0",
  high: "4021",
  low: "4009",
  close: "4020",
  isClosed: false,
};

const statsOf = async (change: { readonly bars?: BarRow[]; readonly before?: typeof before | null } = {}) => {
  const store = await openTestStore();
  const market = new MarketView({ store, keepsHours: false });
  const event: MarketEvent = {
    ...{ kind: "moment", token: 1, atMs: now.computedAtMs, ticks: [last, first, now], fx: [] },
    bars: change.bars ?? [closes, forming],
    rateSets: [set(1, "0.90", last.computedAtMs), set(2, "0.80", MIDNIGHT_MS), set(3, "0.85", now.computedAtMs)],
    dayPairs: [{ instrument: GOLD, day: "2026-11-20", opens, before: change.before === undefined ? before : change.before }],
  };
  market.apply(event);
  const symbol = PRICE_SYMBOLS.find((each) => each.symbol === "XAU-EUR-SPOT");
  if (!symbol) throw new Error("gold is quoted in euros");
  const { row } = presentRow(market, symbol, STATS, TIER_REACH.pro, now.computedAtMs);
  await store.close();
  const { price, open_price, high_price, low_price, prev_close_price, ch, chp } = row;
  return { price, open_price, high_price, low_price, prev_close_price, ch, chp };
};

test("its change is since what was shown at the end of the day before, and it has no high or low", async () => {
  // 4020 × 0.85, 4010 × 0.80, 4000 × 0.90
  const day = { open_price: "3208.00", prev_close_price: "3600.00", ch: "-183.00", chp: "-5.08" };
  expect(await statsOf()).toEqual({ price: "3417.00", ...day });
});

test("it has none where the bars of those days have other prices, or nothing was published", async () => {
  const none = { price: "3417.00" };
  expect(
    await statsOf({
      bars: [
        { ...closes, close: "3999" },
        { ...forming, open: "4011" },
      ],
    }),
  ).toEqual(none);
  expect(await statsOf({ bars: [closes], before: null })).toEqual(none);
  expect(await statsOf({ bars: [{ ...closes, barStartMs: MIDNIGHT_MS - 2 * DAY_MS }] })).toEqual(none);
});
