/** One reading of a feed: the context it gets, and a time limit. */
import type { Time } from "@assay/ports";
import type { Observation } from "@assay/pricing";
import { FeedError } from "../feed/error.ts";
import type { Feed, FeedContext } from "../feed/feed.ts";
import type { Upstream } from "../http/upstream.ts";

/**
 * The context of a feed for one reading or one backfill.
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

/** A reading is aborted after twice its interval, but never before a minute. */
const MIN_LIMIT_MS = 60_000;

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * Reads a feed once.
 * @param controller aborts the reading; its reason is thrown then, whatever the feed throws
 */
export const readOnce = async (
  feed: Feed,
  context: FeedContext,
  controller: AbortController,
  { after }: Pick<Time, "after">,
): Promise<readonly Observation[]> => {
  const tooLong = () => controller.abort(new FeedError("timeout", "the reading took too long"));
  const cancelLimit = after(Math.max(2 * feed.info.intervalMs, MIN_LIMIT_MS), tooLong);
  try {
    return await Promise.race([feed.fetch(context), whenAborted(controller.signal)]);
  } catch (thrown) {
    throw controller.signal.aborted ? controller.signal.reason : thrown;
  } finally {
    cancelLimit();
  }
};
