/** Readings of several requests, where one that fails must not silence the others. */
import type { Observation } from "@assay/pricing";
import type { FeedContext } from "./feed.ts";
import { FeedError, toFeedError } from "./feed-error.ts";

/** The same error, saying of which part. */
const of = (name: string, thrown: unknown): FeedError => {
  const { kind, message, status, retryAtMs, cause } = toFeedError(thrown);
  return new FeedError(kind, `${name}: ${message}`, { ...(status !== null && { status }), retryAtMs, cause });
};

/**
 * Reads every part. The host queue sends them one after the other.
 * @returns the observations of the parts that answered; the failures of the others are told to the context
 * @throws FeedError of the first part when every part failed
 */
export const readParts = async <P>(
  context: FeedContext,
  parts: readonly P[],
  name: (part: P) => string,
  read: (part: P) => Promise<Observation | readonly Observation[]>,
): Promise<readonly Observation[]> => {
  const results = await Promise.allSettled(
    parts.map((part) => read(part).catch((thrown: unknown) => Promise.reject(of(name(part), thrown)))),
  );
  const failures = results.filter((result) => result.status === "rejected").map((result) => toFeedError(result.reason));
  const [first] = failures;
  if (first && failures.length === results.length) throw first;
  for (const failure of failures) context.partial(failure);
  return results.filter((result) => result.status === "fulfilled").flatMap((result) => result.value);
};
