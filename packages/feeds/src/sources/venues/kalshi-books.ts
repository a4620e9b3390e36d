/** Kalshi's order books, which list only bids: a bid for no at q is an offer of yes at 1 − q. */
import { type BookLevel, bookFromBids, type YesBook } from "@assay/pricing";
import { z } from "zod";
import type { FeedContext } from "../../feed/feed.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { contractCount, contractPrice } from "./book-levels.ts";
import { readEach } from "./read-each.ts";

const level = z.tuple([contractPrice, contractCount]).transform(([price, size]): BookLevel => ({ price, size }));
/** An empty side may be null, but must be present. */
const bids = z
  .array(level)
  .nullable()
  .transform((levels) => levels ?? []);
const book = z
  .object({ orderbook_fp: z.object({ yes_dollars: bids, no_dollars: bids }) })
  .transform(({ orderbook_fp }) => bookFromBids(orderbook_fp.yes_dollars, orderbook_fp.no_dollars));
const named = z.object({ ticker: z.string() });
const body = z.object({ orderbooks: z.array(z.unknown()) });

/** @throws FeedError when it is not a book */
export const readKalshiBook = (value: unknown): YesBook => shaped(value, book);

/**
 * Books by ticker, with the published digits of the bids; asks are exact.
 * @throws FeedError when the body has no books, or none can be parsed
 */
export const parseKalshiBooks = (text: string, partial: FeedContext["partial"]): ReadonlyMap<string, YesBook> => {
  const read = (value: unknown): [string, YesBook] => [shaped(value, named).ticker, readKalshiBook(value)];
  return new Map(readEach(readJson(text, body).orderbooks, "book", read, partial));
};
