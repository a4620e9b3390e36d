/** The current price: the newest of an instrument's last tick, settlement and close. */

import { HOUR_MS } from "@assay/contract";
import type { BarRow } from "../bars/bar-row.ts";
import { barEnd } from "../bars/grow.ts";
import { type SettlementRow, settlementPublisher } from "../futures/settlement.ts";
import { nextSettlementDueMs } from "../market/exchange-calendar.ts";
import type { SpotPrice, Tick } from "./price.ts";

/** How long the next settlement may be overdue before the last one is stale. */
const SETTLEMENT_GRACE_MS = 6 * HOUR_MS;

/** A price in USD per the instrument's unit, unrounded, whatever its origin. */
export interface StandingPrice
  extends Pick<SpotPrice, "price" | "bid" | "ask" | "sources" | "divergenceBps" | "computedAtMs" | "freshUntilMs"> {
  /** Its origin: fresh primaries, the council rate, a futures contract's settlement, or the last bar of a closed market. */
  readonly basis: SpotPrice["basis"] | "settlement" | "close";
}

/** Cached: the same row gives the same object, by which readers detect that nothing changed. */
const SETTLED = new WeakMap<SettlementRow, StandingPrice>();
const CLOSED = new WeakMap<BarRow, StandingPrice>();

/**
 * A settlement as a price: fresh until the next business day's is due, plus six hours.
 * @param row the settlement
 */
export const settlementPrice = (row: SettlementRow): StandingPrice => {
  const known = SETTLED.get(row);
  if (known) return known;
  const { price, source, observedAtMs } = row;
  const { displayName, license } = settlementPublisher(source);
  const freshUntilMs = nextSettlementDueMs(row.settlementDate) + SETTLEMENT_GRACE_MS;
  const made: StandingPrice = {
    price,
    basis: "settlement",
    sources: [{ source, displayName, license, role: "primary", price, observedAtMs, freshUntilMs }],
    divergenceBps: null,
    computedAtMs: observedAtMs,
    freshUntilMs,
  };
  SETTLED.set(row, made);
  return made;
};

/**
 * A closed bar's close as a price: dated at the bar's end, never fresh, without sources.
 * @param bar a closed bar
 */
export const closePrice = (bar: BarRow): StandingPrice => {
  const known = CLOSED.get(bar);
  if (known) return known;
  const computedAtMs = barEnd(bar);
  const made: StandingPrice = {
    price: bar.close,
    basis: "close",
    sources: [],
    divergenceBps: null,
    computedAtMs,
    freshUntilMs: computedAtMs - 1,
  };
  CLOSED.set(bar, made);
  return made;
};

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
const saidAtMs = ({ basis, sources, computedAtMs }: Tick): number => {
  if (basis === "primary") return computedAtMs;
  const councils = sources.filter(({ role }) => role === "council").map(({ observedAtMs }) => observedAtMs);
  return councils.length === 0 ? computedAtMs : Math.max(...councils);
};

/**
 * The newest candidate. A bar counts from its start: a price published or settled within it is as new as its close.
 * @param known the candidates at that instant
 * @returns null when there are none
 */
export const standingPrice = ({ tick, settlement, close }: KnownPrices): StandingPrice | null => {
  const tickMs = tick ? saidAtMs(tick) : Number.NEGATIVE_INFINITY;
  const closeMs = close?.barStartMs ?? Number.NEGATIVE_INFINITY;
  if (settlement && settlement.observedAtMs > Math.max(tickMs, closeMs)) return settlementPrice(settlement);
  return close && closeMs > tickMs ? closePrice(close) : tick;
};
