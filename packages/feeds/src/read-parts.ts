/** Readings of several requests, where one that fails must not silence the others. */
import type { Observation } from "@assay/pricing";
import type { FeedContext } from "./feed.ts";
import { toFeedError } from "./feed-error.ts";

/**
 * Reads every part. The host queue sends them one after the other.
 * @returns the observations of the parts that answered; the failures of the others are told to the context
 * @throws FeedError of the first part when every part failed
 */
export const readParts = async <P>(
  context: FeedContext,
  parts: readonly P[],
  read: (part: P) => Promise<Observation>,
): Promise<readonly Observation[]> => {
  const results = await Promise.allSettled(parts.map(read));
  const failures = results.filter((result) => result.status === "rejected").map((result) => toFeedError(result.reason));
  const [first] = failures;
  if (first && failures.length === results.length) throw first;
  for (const failure of failures) context.partial(failure);
  return results.filter((result) => result.status === "fulfilled").map((result) => result.value);
};
