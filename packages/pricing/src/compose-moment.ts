/** One moment of the whole market: every instrument composed, and gold in every currency. */
import { CURRENCIES, type Currency, type DecimalText } from "@assay/contract";
import { compose } from "./compose.ts";
import { fxRate } from "./fx-cross.ts";
import type { FxState } from "./fx-state.ts";
import type { SourceInfo, SpotObservation } from "./observation.ts";
import { presentCrossed } from "./present.ts";
import type { SpotPrice } from "./spot-price.ts";
import { INSTRUMENTS } from "./symbols.ts";

/** What one moment came to. */
export interface ComposedMoment {
  /** One price for each instrument that has one, in the order of INSTRUMENTS. */
  readonly prices: readonly SpotPrice[];
  /** Gold per troy ounce in each currency with a rate, as the wire shows it. */
  readonly gold: Readonly<Partial<Record<Currency, DecimalText>>>;
}

/**
 * Composes every instrument and crosses gold into every currency: all the arithmetic of one tick.
 * @param latestBySource the latest valid reading of each source, of all instruments
 * @param sources who the sources are, by key
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
