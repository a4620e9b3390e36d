/** What the venues' feeds share: options by expiry, levels of a book, books in batches, and one observation per metal. */
import { type DecimalText, SURFACE_METALS } from "@assay/contract";
import type { DigitalMarket, MarketsObservation, OptionExpiry, OptionQuote } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { FeedContext } from "../../feed/feed.ts";

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

/** Dollars per contract that pays one: 0 to 1. */
export const contractPrice: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0(\.[0-9]{1,8})?|1(\.0{1,8})?)$/, "must be a price from 0 to 1");

/** Contracts; may be zero. */
export const contractCount: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$/, "must be a number of contracts");

/** Batches of the given size, in order; the last one may be smaller. */
export const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/**
 * Reports them; a market without its book is skipped.
 * @throws FeedError when all are missing
 */
export const reportMissing = (context: Pick<FeedContext, "partial">, missing: number, asked: number): void => {
  if (missing === 0) return;
  const error = new FeedError("payload", `${missing} of ${asked} books could not be read`);
  if (missing === asked) throw error;
  context.partial(error);
};

/**
 * @param source the feed's key
 * @param markets of any metal
 * @returns each dated by its oldest book
 */
export const observationsByMetal = (source: string, markets: readonly DigitalMarket[]): MarketsObservation[] =>
  SURFACE_METALS.flatMap((metal) => {
    const ofMetal = markets.filter((market) => market.metal === metal);
    if (ofMetal.length === 0) return [];
    const observedAtMs = Math.min(...ofMetal.map(({ retrievedAtMs }) => retrievedAtMs));
    return [{ kind: "markets", source, markets: ofMetal, observedAtMs }];
  });
