/** The context of a feed for one reading or one backfill. */
import type { Feed, FeedContext } from "../feed/feed.ts";
import type { Upstream } from "../http/upstream.ts";

/**
 * @param selected the feed, and its effective base URL
 * @param moment the start time, the abort signal, and the callback for failed parts
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
