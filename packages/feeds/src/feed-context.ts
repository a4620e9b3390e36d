/** What a feed is given for one reading, or for one backfill. */
import type { Feed, FeedContext } from "./feed.ts";
import type { Upstream } from "./http/upstream.ts";

/**
 * @param selected the feed, and the base URL it is to use
 * @param moment when the reading begins, what calls it off, and who hears of parts that failed
 */
export const feedContext = (
  selected: { readonly feed: Feed; readonly baseUrl: string },
  upstream: Upstream,
  moment: Pick<FeedContext, "nowMs" | "signal" | "partial">,
): FeedContext => ({
  ...moment,
  get: async (request) => {
    const { feed, baseUrl } = selected;
    const own = baseUrl === feed.baseUrl ? request.baseUrl : undefined;
    return upstream.get(feed.info.key, own ?? baseUrl, request, moment.signal);
  },
});
