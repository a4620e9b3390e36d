/** Parses the items of one body, so that one broken item does not affect the others. */
import { FeedError, toFeedError } from "../../feed/error.ts";
import type { FeedContext } from "../../feed/feed.ts";

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
