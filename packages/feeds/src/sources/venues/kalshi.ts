/**
 * Kalshi's markets on gold and silver: ladders that pay a dollar if the price is above a strike at their close, settled by Pyth's
 * one-minute candle. A reading is one list of markets per series, and the books of the most informative ones.
 */
import type { SurfaceMetal } from "@assay/contract";
import { type DigitalMarket, dec, type YesBook } from "@assay/pricing";
import { FeedError, toFeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, freshFor } from "../../feed/feed.ts";
import { readParts } from "../../feed/read-parts.ts";
import { textOf } from "../../payload/body.ts";
import {
  KALSHI_SERIES,
  type KalshiFees,
  type KalshiSeries,
  type ListedMarket,
  parseKalshiBooks,
  parseKalshiFees,
  parseKalshiMarkets,
  UNKNOWN_FEES,
} from "./kalshi-answers.ts";
import { batchesOf, observationsByMetal, reportMissing } from "./venue-readings.ts";

const KEY = "kalshi";
/** A reading takes up to two dozen sequential requests. */
const INTERVAL_MS = 120_000;
const ROOT = "/trade-api/v2";
const PAGE_MARKETS = 1_000;
/** More pages than any series has. */
const MOST_PAGES = 3;
/** Maximum books per request. */
const BATCH_BOOKS = 100;
/** Books per reading, across all series. */
const MOST_BOOKS = 400;
const referenceOf = (metal: SurfaceMetal): string => `pyth:${metal.toUpperCase()}/USD`;

/** A market with its series's facts. */
interface OpenMarket extends ListedMarket {
  readonly metal: SurfaceMetal;
  readonly fees: KalshiFees;
}

const ask = async (context: FeedContext, path: string): Promise<string> =>
  textOf(await context.get({ path: `${ROOT}${path}`, expect: "json" }));

const feesOf = async (context: FeedContext, series: KalshiSeries): Promise<KalshiFees> => {
  try {
    return parseKalshiFees(await ask(context, `/series/${series.ticker}`), series);
  } catch (thrown) {
    const { kind, message, cause } = toFeedError(thrown);
    context.partial(new FeedError(kind, `fees of ${series.ticker}: ${message}`, { cause }));
    return UNKNOWN_FEES;
  }
};

/** Every open market of a series, page by page. */
const listSeries = async (context: FeedContext, series: KalshiSeries): Promise<OpenMarket[]> => {
  // An unknown cursor returns the first page again.
  const found = new Map<string, ListedMarket>();
  let cursor = "";
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/markets?series_ticker=${series.ticker}&status=open&limit=${PAGE_MARKETS}${after}`;
    const page = parseKalshiMarkets(await ask(context, path), context.partial);
    for (const market of page.markets) found.set(market.ticker, market);
    cursor = page.cursor;
    if (cursor === "") break;
  }
  if (cursor !== "") context.partial(new FeedError("payload", `${series.ticker}: more than ${MOST_PAGES} pages of markets`));
  const open = [...found.values()].filter(({ closesAtMs }) => closesAtMs > context.nowMs);
  if (open.length === 0) return [];
  const fees = await feesOf(context, series);
  return open.map((market) => ({ ...market, metal: series.metal, fees }));
};

/** How far a market's best prices are from even odds; an empty side counts as the end of the scale. */
const fromEven = ({ yesBid, yesAsk }: ListedMarket): number => dec(yesBid).plus(yesAsk).minus(1).abs().toNumber();

/** The most informative markets: nearest the money, then by volume. */
const tellingMarkets = (markets: readonly OpenMarket[]): OpenMarket[] =>
  [...markets].sort((a, b) => fromEven(a) - fromEven(b) || dec(b.contracts ?? 0).cmp(a.contracts ?? 0)).slice(0, MOST_BOOKS);

const marketOf = (market: OpenMarket, book: YesBook, retrievedAtMs: number): DigitalMarket => ({
  venue: KEY,
  marketId: market.ticker,
  metal: market.metal,
  kind: "terminal",
  strike: market.strike,
  expiresAtMs: market.closesAtMs,
  reference: referenceOf(market.metal),
  ...market.fees,
  book,
  // A contract pays a dollar.
  volumeUsd: market.contracts,
  retrievedAtMs,
});

/** The books of up to a hundred markets, in one request. */
const readBooks = async (context: FeedContext, markets: readonly OpenMarket[]): Promise<DigitalMarket[]> => {
  // Tickers joined by commas would count as one.
  const tickers = markets.map(({ ticker }) => `tickers=${ticker}`).join("&");
  const reply = await context.get({ path: `${ROOT}/markets/orderbooks?${tickers}`, expect: "json" });
  const books = parseKalshiBooks(textOf(reply), context.partial);
  const found = markets.flatMap((market) => {
    const book = books.get(market.ticker);
    return book ? [marketOf(market, book, reply.receivedAtMs)] : [];
  });
  reportMissing(context, markets.length - found.length, markets.length);
  return found;
};

const info = {
  key: KEY,
  displayName: "Kalshi",
  license: "personal-use-only",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "Kalshi Inc.",
  origin: "kalshi",
  url: "https://kalshi.com",
  terms:
    "Market data needs no key; the API agreement is for one's own use, so ask before serving third parties. Prices are bets, not advice.",
  moves: false,
} as const;

export const kalshi: Feed = {
  info,
  kind: "markets",
  sources: [info],
  baseUrl: "https://external-api.kalshi.com",
  fetch: async (context) => {
    const open = await readParts(
      context,
      KALSHI_SERIES,
      ({ ticker }) => ticker,
      (series) => listSeries(context, series),
    );
    if (open.length === 0) throw new FeedError("payload", "no market is open");
    const batches = batchesOf(tellingMarkets(open), BATCH_BOOKS);
    const markets = await readParts(
      context,
      batches,
      () => "books",
      (batch) => readBooks(context, batch),
    );
    return observationsByMetal(KEY, markets);
  },
};
