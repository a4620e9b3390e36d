/** How an alert begins that is made or changed: where it stands at the price that its owner sees. */
import { type AlertKind, type MoveDirection, SECOND_MS } from "@assay/contract";
import { type AlertRow, readTickExtremes } from "@assay/db";
import { compareDecimalText, firstMemory, firstMove, type PriceSymbol, presentCrossed, type ShownPrice } from "@assay/pricing";
import type { ServiceDeps } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";

export interface Terms {
  readonly threshold: string | null;
  readonly windowSeconds: number | null;
  readonly direction: MoveDirection | null;
}

/** An alert's first state, the tick it is of, and whether its condition holds already. */
export interface FirstLook extends Pick<AlertRow, "state" | "seenSeq" | "memory"> {
  readonly alreadyTrue: boolean;
}

/** Parts of a window that are looked at by their lowest and highest price; at least a second long. */
const LOOK_BACK_STEPS = 240;

/** What was published within the window of an alert on a move, as far as ticks, and rates of their instants, are kept. */
const pastPrices = async (
  store: ServiceDeps["store"],
  market: MarketView,
  { instrument, currency }: PriceSymbol,
  { windowSeconds }: Terms,
  asOfMs: number,
): Promise<ShownPrice[]> => {
  const spanMs = (windowSeconds ?? 0) * SECOND_MS;
  const ticks = await readTickExtremes(store, {
    instrument,
    fromMs: asOfMs - spanMs,
    toMs: asOfMs,
    stepMs: Math.max(SECOND_MS, spanMs / LOOK_BACK_STEPS),
    without: market.hiddenRuns(instrument),
  });
  const newest = market.tickAt(instrument, asOfMs);
  const seen = newest ? [{ seq: newest.seq, price: newest.price, atMs: newest.computedAtMs }] : [];
  return [...ticks.filter(({ seq }) => seq < (newest?.seq ?? 0)), ...seen].flatMap(({ seq, price, atMs: computedAtMs }) => {
    const rate = market.fxRate(currency, computedAtMs);
    return rate ? [{ seq, price: presentCrossed(price, rate), computedAtMs }] : [];
  });
};

/**
 * Looks at a symbol for an alert that is made or changed. Without a price it waits: a first price that is beyond the threshold
 * is no crossing.
 * @param asOfMs the instant that the owner sees
 */
export const firstLook = async (
  { store, market }: Pick<ServiceDeps, "store" | "market">,
  symbol: PriceSymbol,
  terms: Terms & { readonly kind: AlertKind },
  asOfMs: number,
): Promise<FirstLook> => {
  const { kind, threshold } = terms;
  const { seq: seenSeq, runSeq } = market.heardAt(symbol.instrument, asOfMs);
  const { price, rate, stale } = market.standingOf(symbol, asOfMs);
  const looked = (alreadyTrue: boolean, memory: string | null = null): FirstLook => ({
    state: alreadyTrue ? "waiting" : "armed",
    seenSeq,
    memory,
    alreadyTrue,
  });
  if (kind === "stale") return looked(stale.isStale && stale.reason !== "market_closed");
  if (kind === "moved") {
    const { alreadyTrue, memory } = firstMove(terms, await pastPrices(store, market, symbol, terms, asOfMs), runSeq);
    return looked(alreadyTrue, memory);
  }
  if (threshold === null) return looked(false);
  if (!price || !rate) return { ...looked(false), state: "waiting" };
  // As it is published: rounded to the symbol's decimals.
  const side = compareDecimalText(presentCrossed(price.price, rate), threshold);
  return looked(kind === "above" ? side > 0 : side < 0, firstMemory(runSeq));
};
