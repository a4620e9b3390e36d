/** Books that were asked for and did not come. */
import type { FeedContext } from "../../feed.ts";
import { FeedError } from "../../feed-error.ts";

/**
 * Tells of them; a market without its book is left out.
 * @throws FeedError when not one came
 */
export const tellOfMissing = (context: Pick<FeedContext, "partial">, missing: number, asked: number): void => {
  if (missing === 0) return;
  const error = new FeedError("payload", `${missing} of ${asked} books did not come`);
  if (missing === asked) throw error;
  context.partial(error);
};
