/** The price that stands: the newest of what is known of an instrument, be it a tick, a settlement or the last close. */
import { barEnd } from "./bars.ts";
import { nextSettlementDueMs } from "./exchange-calendar.ts";
import { type SettlementRow, settlementPublisher } from "./settlement.ts";
import type { BarRow, SpotPrice, Tick } from "./spot-price.ts";

const HOUR_MS = 3_600_000;
/** How long the next settlement may be overdue before the one that is known is stale. */
const SETTLEMENT_GRACE_MS = 6 * HOUR_MS;

/** A price in USD per the instrument's unit, unrounded, whatever it was made from. */
export interface StandingPrice
  extends Pick<SpotPrice, "price" | "bid" | "ask" | "sources" | "divergenceBps" | "computedAtMs" | "freshUntilMs"> {
  /** What made it: fresh primaries, the council rate, a futures contract's settlement, or the last bar of a closed market. */
  readonly basis: SpotPrice["basis"] | "settlement" | "close";
}

/** Kept once made: the same row gives the same object, which is how readers notice that nothing changed. */
const SETTLED = new WeakMap<SettlementRow, StandingPrice>();
const CLOSED = new WeakMap<BarRow, StandingPrice>();

/**
 * A settlement as a price: fresh until the next business day's is due and six hours more.
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
 * A closed bar's close as a price: dated with the bar's end, never fresh, without sources.
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

/** What is known of an instrument at an instant. */
export interface KnownPrices {
  /** The newest published price. */
  readonly tick: Tick | null;
  /** The newest settlement of the front contract; null for what has no futures. */
  readonly settlement: SettlementRow | null;
  /** The newest closed bar; null while the market is open, when a close is not the price. */
  readonly close: BarRow | null;
}

/** When what a tick tells was so: a council's rate is of its own instant, however late it is published. */
const saidAtMs = ({ basis, sources, computedAtMs }: Tick): number => {
  if (basis === "primary") return computedAtMs;
  const councils = sources.filter(({ role }) => role === "council").map(({ observedAtMs }) => observedAtMs);
  return councils.length === 0 ? computedAtMs : Math.max(...councils);
};

/**
 * The newest of what is known. A bar counts from its start: what was published or settled within it is as new as its close.
 * @param known what is known at that instant
 * @returns null when nothing is
 */
export const standingPrice = ({ tick, settlement, close }: KnownPrices): StandingPrice | null => {
  const tickMs = tick ? saidAtMs(tick) : Number.NEGATIVE_INFINITY;
  const closeMs = close?.barStartMs ?? Number.NEGATIVE_INFINITY;
  if (settlement && settlement.observedAtMs > Math.max(tickMs, closeMs)) return settlementPrice(settlement);
  return close && closeMs > tickMs ? closePrice(close) : tick;
};
