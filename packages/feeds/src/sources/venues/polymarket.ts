/**
 * Polymarket's markets on the exchange's settlements of gold and silver. Those on the month's settlement are terminal; those on a
 * level reached before it are touch markets and marked as such. A reading is one list of events and a few requests for books.
 */
import type { DigitalMarket, YesBook } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, freshFor } from "../../feed/feed.ts";
import { readEach, readParts } from "../../feed/read-parts.ts";
import { readJson, shaped, textOf } from "../../payload/body.ts";
import { monthlyEvents, parsePolymarketEvents, type TradedMarket } from "./polymarket-listing.ts";
import { batchesOf, contractCount, contractPrice, observationsByMetal, reportMissing } from "./venue-readings.ts";

const levels = z.array(z.object({ price: contractPrice, size: contractCount }));
/** Both sides, best price last. */
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

const KEY = "polymarket";
const INTERVAL_MS = 60_000;
/** Books are on a separate host. */
const BOOKS_URL = "https://clob.polymarket.com";
const BATCH_BOOKS = 100;
/** Books per reading; terminal markets first, nearest expiry first. */
const MOST_BOOKS = 300;

const byUse = (a: TradedMarket, b: TradedMarket): number =>
  Number(a.kind === "touch") - Number(b.kind === "touch") || a.expiresAtMs - b.expiresAtMs;

const listMarkets = async (context: FeedContext): Promise<TradedMarket[]> => {
  const events = monthlyEvents(context.nowMs);
  const slugs = events.map(({ slug }) => `&slug=${slug}`).join("");
  const text = textOf(await context.get({ path: `/events?limit=${events.length}${slugs}`, expect: "json" }));
  return parsePolymarketEvents(text, events, context.partial);
};

/** The books of up to a hundred markets, in one request. */
const readBooks = async (context: FeedContext, markets: readonly TradedMarket[]): Promise<DigitalMarket[]> => {
  const body = JSON.stringify(markets.map(({ yesToken }) => ({ token_id: yesToken })));
  const post = { contentType: "application/json", body };
  const reply = await context.get({ baseUrl: BOOKS_URL, path: "/books", expect: "json", post });
  const books = parsePolymarketBooks(textOf(reply), context.partial);
  const found = markets.flatMap(({ yesToken, ...market }) => {
    const book = books.get(yesToken);
    return book ? [{ ...market, book, retrievedAtMs: reply.receivedAtMs }] : [];
  });
  reportMissing(context, markets.length - found.length, markets.length);
  return found;
};

const info = {
  key: KEY,
  displayName: "Polymarket",
  license: "undocumented",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "Polymarket",
  origin: "polymarket",
  url: "https://polymarket.com",
  terms: "No key; silent on display and redistribution, and trading is closed to some countries. Prices are bets, not advice.",
  moves: false,
} as const;

export const polymarket: Feed = {
  info,
  kind: "markets",
  sources: [info],
  baseUrl: "https://gamma-api.polymarket.com",
  fetch: async (context) => {
    const traded = await listMarkets(context);
    if (traded.length === 0) throw new FeedError("payload", "no market is open");
    const batches = batchesOf([...traded].sort(byUse).slice(0, MOST_BOOKS), BATCH_BOOKS);
    const markets = await readParts(
      context,
      batches,
      () => "books",
      (batch) => readBooks(context, batch),
    );
    return observationsByMetal(KEY, markets);
  },
};
