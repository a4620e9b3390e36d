/** The current price: the newest of an instrument's last tick, settlement and close; and whether it is stale. */
import { HOUR_MS } from "@assay/contract";
import { type BarRow, barEnd } from "../bars/bar.ts";
import { nextSettlementDueMs } from "../conventions/exchange-calendar.ts";
import { type SettlementRow, settlementPublisher } from "../futures/settlement.ts";
import type { FxRate } from "../fx/cross.ts";
import type { SpotPrice, Tick } from "./compose.ts";
import { verdictOf } from "./price-source.ts";

/** How long the next settlement may be overdue before the last one is stale. */
const SETTLEMENT_GRACE_MS = 6 * HOUR_MS;

/** A price in USD per the instrument's unit, unrounded, whatever its origin. */
export interface StandingPrice
  extends Pick<SpotPrice, "price" | "bid" | "ask" | "sources" | "absent" | "divergenceBps" | "computedAtMs" | "freshUntilMs"> {
  /** Its origin: fresh primaries, the council rate, a futures contract's settlement, or the last bar of a closed market. */
  readonly basis: SpotPrice["basis"] | "settlement" | "close";
  /** That of a tick; settlements and closes have none. */
  readonly conf?: SpotPrice["conf"];
  /** As of a tick. */
  readonly rateSet?: number;
}

/** The same row gives the same object, by which readers detect that nothing changed. */
const onceEach = <Row extends object>(priceOf: (row: Row) => StandingPrice): ((row: Row) => StandingPrice) => {
  const prices = new WeakMap<Row, StandingPrice>();
  return (row) => {
    const price = prices.get(row) ?? priceOf(row);
    prices.set(row, price);
    return price;
  };
};

/** A settlement as a price: fresh until the next business day's is due, plus six hours. */
export const settlementPrice = onceEach(({ price, source, observedAtMs, settlementDate }: SettlementRow): StandingPrice => {
  const { displayName, license } = settlementPublisher(source);
  const freshUntilMs = nextSettlementDueMs(settlementDate) + SETTLEMENT_GRACE_MS;
  return {
    price,
    basis: "settlement",
    sources: [{ source, displayName, license, role: "primary", price, observedAtMs, freshUntilMs }],
    divergenceBps: null,
    computedAtMs: observedAtMs,
    freshUntilMs,
  };
});

/** A closed bar's close as a price: dated at the bar's end, never fresh, without sources. */
export const closePrice = onceEach((bar: BarRow): StandingPrice => {
  const computedAtMs = barEnd(bar);
  return {
    price: bar.close,
    basis: "close",
    sources: [],
    divergenceBps: null,
    computedAtMs,
    freshUntilMs: computedAtMs - 1,
  };
});

/** The candidate prices of an instrument at an instant. */
export interface KnownPrices {
  /** The newest published price. */
  readonly tick: Tick | null;
  /** The newest settlement of the front contract; null for what has no futures. */
  readonly settlement: SettlementRow | null;
  /** The newest closed bar; null while the market is open, when a close is not the price. */
  readonly close: BarRow | null;
}

/** The effective time of a tick: a council rate keeps its own time, however late it is published. */
const effectiveMs = (tick: Tick): number => {
  if (tick.basis === "primary") return tick.computedAtMs;
  const believed = tick.sources.filter((part) => verdictOf(tick, part) === "believed").map(({ observedAtMs }) => observedAtMs);
  return believed.length === 0 ? tick.computedAtMs : Math.max(...believed);
};

/**
 * The newest candidate. A bar counts from its start: a price published or settled within it is as new as its close.
 * @returns null when there are none
 */
export const standingPrice = ({ tick, settlement, close }: KnownPrices): StandingPrice | null => {
  const tickMs = tick ? effectiveMs(tick) : Number.NEGATIVE_INFINITY;
  const closeMs = close?.barStartMs ?? Number.NEGATIVE_INFINITY;
  if (settlement && settlement.observedAtMs > Math.max(tickMs, closeMs)) return settlementPrice(settlement);
  return close && closeMs > tickMs ? closePrice(close) : tick;
};

/** Why a price is stale: the market is closed, its sources are silent, or its currency rate is not live. */
export type StaleReason = "market_closed" | "feed_down" | "fx_fallback";

export type Staleness = { readonly isStale: false } | { readonly isStale: true; readonly reason: StaleReason };

const FRESH: Staleness = { isStale: false };

/** Whether a rate is not fresh and live: missing, old, or the reference rate of a day. */
export const isFallback = (fx: Pick<FxRate, "role" | "isStale"> | null): boolean =>
  fx === null || fx.isStale || fx.role === "reference";

/**
 * The only place that judges staleness, so that every answer gives the same reason.
 *
 * Without a price, or past its freshness window, it is stale: `market_closed` while the market is closed, otherwise `feed_down`.
 * A settlement has its own schedule, and is `feed_down` in either case. A fresh price without a rate, or converted with a rate
 * that is not fresh and live, is stale with `fx_fallback`; USD and pegs need no live rate, and the lev has the role of its euro
 * leg.
 * @param price the price, or its relevant fields; null when there is none
 * @param fx the rate it is converted with; null when there is none
 * @param atMs the moment, epoch milliseconds
 * @param marketOpen whether the market is open then
 */
export const staleness = (
  price: Pick<StandingPrice, "freshUntilMs" | "basis"> | null,
  fx: Pick<FxRate, "role" | "isStale"> | null,
  atMs: number,
  marketOpen: boolean,
): Staleness => {
  if (price === null || atMs > price.freshUntilMs) {
    const isSilent = marketOpen || price?.basis === "settlement";
    return { isStale: true, reason: isSilent ? "feed_down" : "market_closed" };
  }
  if (isFallback(fx)) return { isStale: true, reason: "fx_fallback" };
  return FRESH;
};
