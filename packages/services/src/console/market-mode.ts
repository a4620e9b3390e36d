/** Where the prices of a service come from: the simulated market, a replay file, or publishers. */
import type { MarketMode } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live } from "@assay/live";

/**
 * Reads it from the writer's report.
 * @returns a function; while the report is unavailable it returns the last known mode, before the first one `live`
 */
export const marketMode = ({ latest }: Pick<Live, "latest">): (() => Promise<MarketMode>) => {
  let known: MarketMode = "live";
  return async () => {
    try {
      const text = await latest.get(FEEDS_DOCUMENT_KEY);
      // Our own writer wrote it in this shape.
      const feeds = text === null ? null : (JSON.parse(text) as FeedsDocument);
      if (feeds) known = feeds.simulated ? "simulated" : feeds.replayed ? "replay" : "live";
    } catch {
      // The cache is unavailable; the status document reports it.
    }
    return known;
  };
};
