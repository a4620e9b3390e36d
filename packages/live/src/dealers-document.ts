/**
 * When each dealer's product was last read, as a small document in `latest`. Rereading an unchanged quote publishes no event but
 * keeps it fresh.
 */
import type { LatestPort } from "./ports.ts";

/** Its key. */
export const DEALERS_DOCUMENT_KEY = "dealers";

/** A product that has not been read for this long counts as discontinued, in milliseconds. */
export const PRODUCT_GONE_AFTER_MS = 7 * 86_400_000;

/** The last reading of one product, all in milliseconds. */
export interface ProductReading {
  readonly fetchedAtMs: number;
  /** When the dealer published it. */
  readonly observedAtMs: number;
  /** The last instant at which it is fresh, unless it is read again. */
  readonly freshUntilMs: number;
}

/** By country, then by the product's id. */
export type DealersDocument = Readonly<Record<string, Readonly<Record<string, ProductReading>>>>;

/** Reads the document; empty before the first reading. */
export const readDealers = async (latest: LatestPort): Promise<DealersDocument> => {
  const text = await latest.get(DEALERS_DOCUMENT_KEY);
  return text === null ? {} : JSON.parse(text); // written by our own writer in this shape
};
