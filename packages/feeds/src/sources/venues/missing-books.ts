/** Reports requested books that are missing from the answer. */
import { FeedError } from "../../feed/error.ts";
import type { FeedContext } from "../../feed/feed.ts";

/**
 * Reports them; a market without its book is skipped.
 * @throws FeedError when all are missing
 */
export const tellOfMissing = (context: Pick<FeedContext, "partial">, missing: number, asked: number): void => {
  if (missing === 0) return;
  const error = new FeedError("payload", `${missing} of ${asked} books could not be read`);
  if (missing === asked) throw error;
  context.partial(error);
};
