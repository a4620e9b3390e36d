/** Groups single options by expiry. */
import type { OptionExpiry, OptionQuote } from "@assay/pricing";

/** One option of a chain. */
export interface ListedOption {
  readonly expiresAtMs: number;
  readonly quote: OptionQuote;
}

/** The chain's expiries, nearest first, each with its quotes in input order. */
export const expiriesOf = (options: readonly ListedOption[]): OptionExpiry[] => {
  const quotes = new Map<number, OptionQuote[]>();
  for (const { expiresAtMs, quote } of options) {
    const known = quotes.get(expiresAtMs);
    if (known) known.push(quote);
    else quotes.set(expiresAtMs, [quote]);
  }
  return [...quotes].sort(([a], [b]) => a - b).map(([expiresAtMs, ofExpiry]) => ({ expiresAtMs, quotes: ofExpiry }));
};
