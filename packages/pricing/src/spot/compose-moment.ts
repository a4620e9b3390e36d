/** One moment of the whole market: every instrument composed, and gold in every currency. */
import { CURRENCIES, type Currency, type DecimalText } from "@assay/contract";
import { fxRate } from "../fx/cross.ts";
import type { FxState } from "../fx/state.ts";
import { INSTRUMENTS } from "../market/symbols.ts";
import { presentCrossed } from "../number/present.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { compose } from "./compose.ts";
import type { SpotPrice } from "./price.ts";

/** The result of one moment. */
export interface ComposedMoment {
  /** One price per instrument that has one, in the order of INSTRUMENTS. */
  readonly prices: readonly SpotPrice[];
  /** Gold per troy ounce in each currency with a rate, in wire form. */
  readonly gold: Readonly<Partial<Record<Currency, DecimalText>>>;
}

/**
 * Composes every instrument and converts gold to every currency: all the arithmetic of one tick.
 * @param latestBySource the latest valid reading of each source, for all instruments
 * @param sources the sources by key
 * @param fx the currency tables
 * @param nowMs now
 */
export const composeMoment = (
  latestBySource: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
  fx: FxState,
  nowMs: number,
): ComposedMoment => {
  const prices: SpotPrice[] = [];
  for (const instrument of INSTRUMENTS) {
    const price = compose(instrument, latestBySource, sources, nowMs);
    if (price) prices.push(price);
  }
  const usd = prices.find(({ instrument }) => instrument === "XAU-USD-SPOT")?.price;
  const gold: Partial<Record<Currency, DecimalText>> = {};
  if (usd === undefined) return { prices, gold };
  for (const currency of CURRENCIES) {
    const rate = fxRate(fx, currency, nowMs);
    if (rate) gold[currency] = presentCrossed(usd, rate);
  }
  return { prices, gold };
};
