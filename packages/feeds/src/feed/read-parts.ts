/** Reads several requests, so that one failure does not affect the others. */
import { FeedError, toFeedError } from "./error.ts";
import type { FeedContext } from "./feed.ts";

/** The same error with the name of the part. */
const of = (name: string, thrown: unknown): FeedError => {
  const { kind, message, status, retryAtMs, cause } = toFeedError(thrown);
  return new FeedError(kind, `${name}: ${message}`, { ...(status !== null && { status }), retryAtMs, cause });
};

/** The result of a part: one observation or several. */
type Item<T> = T extends readonly (infer I)[] ? I : T;

/**
 * Reads every part. The host queue sends the requests one after the other.
 * @returns the observations of the successful parts; failures of the others are reported to the context
 * @throws FeedError of the first part when every part failed
 */
export const readParts = async <P, T>(
  context: FeedContext,
  parts: readonly P[],
  name: (part: P) => string,
  read: (part: P) => Promise<T>,
): Promise<readonly Item<T>[]> => {
  const results = await Promise.allSettled(
    parts.map((part) => read(part).catch((thrown: unknown) => Promise.reject(of(name(part), thrown)))),
  );
  const failures = results.filter((result) => result.status === "rejected").map((result) => toFeedError(result.reason));
  const [first] = failures;
  if (first && failures.length === results.length) throw first;
  for (const failure of failures) context.partial(failure);
  const answers = results.filter((result) => result.status === "fulfilled").map((result) => result.value);
  return answers.flat() as Item<T>[]; // the compiler does not narrow a flattened one-or-many
};
