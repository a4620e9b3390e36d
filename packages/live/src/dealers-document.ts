/** The last changed quote of each country: a small document in `latest`, for processes that start between two changes. */
import type { DealerTick } from "@assay/pricing";
import type { LatestPort } from "./ports.ts";

/** Where it stands. */
export const DEALERS_DOCUMENT_KEY = "dealers";

/** By country. */
export type DealersDocument = Readonly<Record<string, DealerTick>>;

/** Reads it; empty before the first quote. */
export const readDealers = async (latest: LatestPort): Promise<DealersDocument> => {
  const text = await latest.get(DEALERS_DOCUMENT_KEY);
  return text === null ? {} : JSON.parse(text); // written by our own writer in this form
};
