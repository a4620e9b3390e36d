/** Polymarket's order books per token: both sides, best price last. */
import type { YesBook } from "@assay/pricing";
import { z } from "zod";
import type { FeedContext } from "../../feed/feed.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { contractCount, contractPrice } from "./book-levels.ts";
import { readEach } from "./read-each.ts";

const levels = z.array(z.object({ price: contractPrice, size: contractCount }));
const book = z.object({ asset_id: z.string(), bids: levels, asks: levels });

/** @throws FeedError when it is not a book */
export const readPolymarketBook = (value: unknown): readonly [token: string, book: YesBook] => {
  const { asset_id, bids, asks } = shaped(value, book);
  return [asset_id, { bids, asks }];
};

/**
 * Books by token, as published: in that order, possibly crossed or empty.
 * @throws FeedError when the body has no books, or none can be parsed
 */
export const parsePolymarketBooks = (text: string, partial: FeedContext["partial"]): ReadonlyMap<string, YesBook> =>
  new Map(readEach(readJson(text, z.array(z.unknown())), "book", readPolymarketBook, partial));
