/** A country's cheapest bar: what it costs above spot, and what the dealer pays back. */
import type { Wire } from "@assay/sdk/trpc";

/** The quote a country is shown by. */
export interface Cheapest {
  readonly quote: Wire.DealerQuote;
  /** Basis points over spot, as published. */
  readonly premiumBps: number;
  readonly buybackBps: number | null;
}

/** A figure that an association or an exchange publishes: nobody sells at it. */
export const isReference = ({ form }: Pick<Wire.DealerQuote, "form">): boolean => form === "reference";

/** The bar with the lowest premium among quotes that are not stale; of anything sold when there is no bar. */
export const cheapestOf = ({ quotes }: Pick<Wire.PhysicalQuotes, "quotes">): Cheapest | null => {
  const sold = quotes.flatMap((quote) =>
    quote.premium_over_spot_bps === null || quote.is_stale || isReference(quote)
      ? []
      : [{ quote, premiumBps: quote.premium_over_spot_bps, buybackBps: quote.buyback_premium_bps }],
  );
  const bars = sold.filter(({ quote }) => quote.form === "bar");
  const [first, ...others] = bars.length > 0 ? bars : sold;
  return first === undefined ? null : others.reduce((best, one) => (one.premiumBps < best.premiumBps ? one : best), first);
};

/** What the bars of all countries span, in basis points, with spot in it. */
export const spanOf = (all: readonly (Cheapest | null)[]): readonly [fromBps: number, toBps: number] => {
  const ends = all.flatMap((one) => (one === null ? [] : [one.premiumBps, one.buybackBps ?? one.premiumBps]));
  const [from, to] = [Math.min(0, ...ends), Math.max(100, ...ends)];
  const margin = (to - from) * 0.04;
  return [from - margin, to + margin];
};
