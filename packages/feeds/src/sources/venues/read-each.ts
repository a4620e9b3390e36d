/** Items of one body, of which one that is broken must not silence the others. */
import type { FeedContext } from "../../feed.ts";
import { FeedError, toFeedError } from "../../feed-error.ts";

const counted = (first: FeedError, failed: number): FeedError =>
  failed === 1 ? first : new FeedError(first.kind, `${first.message} (and ${failed - 1} more)`, { cause: first.cause });

/**
 * Reads every item by itself; all that cannot be read are told of at once, by the first of them.
 * @param what one item is called in the message
 * @param read null leaves an item out that is none of ours
 * @param partial hears of items that failed while others could be read
 * @throws FeedError when some could not be read, and not one could
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
