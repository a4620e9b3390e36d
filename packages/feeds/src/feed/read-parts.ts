/** Reads several requests, or several items of one body, so that one failure does not affect the others. */
import { FeedError, toFeedError } from "./error.ts";
import type { FeedContext } from "./feed.ts";

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

const counted = (first: FeedError, failed: number): FeedError =>
  failed === 1 ? first : new FeedError(first.kind, `${first.message} (and ${failed - 1} more)`, { cause: first.cause });

/**
 * Parses every item on its own; failures are reported together, with the first error.
 * @param what an item's name in the message
 * @param read returns null to skip an item
 * @param partial called with the failures while other items succeeded
 * @throws FeedError when all items failed
 */
export const readEach = <I, O>(
  items: readonly I[],
  what: string,
  read: (item: I) => O | null,
  partial: FeedContext["partial"],
): O[] => {
  const found: O[] = [];
  let first: FeedError | null = null;
  let failed = 0;
  for (const [index, item] of items.entries()) {
    try {
      const each = read(item);
      if (each !== null) found.push(each);
    } catch (thrown) {
      const { kind, message, cause } = toFeedError(thrown);
      first ??= new FeedError(kind, `${what} ${index + 1} of ${items.length}: ${message}`, { cause });
      failed += 1;
    }
  }
  if (first === null) return found;
  const error = counted(first, failed);
  if (found.length === 0) throw error;
  partial(error);
  return found;
};
