/**
 * When each dealer's product was last read: a small document in `latest`. A quote that is read again unchanged is no event, and
 * still it is fresh.
 */
import type { LatestPort } from "./ports.ts";

/** Where it stands. */
export const DEALERS_DOCUMENT_KEY = "dealers";

/** A product that was not read for so long has gone, in milliseconds. */
export const PRODUCT_GONE_AFTER_MS = 7 * 86_400_000;

/** The last reading of one product, all in milliseconds. */
export interface ProductReading {
  readonly fetchedAtMs: number;
  /** When the dealer said so. */
  readonly observedAtMs: number;
  /** The last instant at which it is fresh, unless it is read again. */
  readonly freshUntilMs: number;
}

/** By country, then by the product's id. */
export type DealersDocument = Readonly<Record<string, Readonly<Record<string, ProductReading>>>>;

/** Reads it; empty before the first reading. */
export const readDealers = async (latest: LatestPort): Promise<DealersDocument> => {
  const text = await latest.get(DEALERS_DOCUMENT_KEY);
  return text === null ? {} : JSON.parse(text); // written by our own writer in this form
};
