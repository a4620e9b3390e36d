/** What Kalshi answers: a series's fees, a page of its markets, and their order books. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { type BookLevel, bookFromBids, type DigitalMarket, dec, type YesBook } from "@assay/pricing";
import { z } from "zod";
import type { FeedContext } from "../../feed/feed.ts";
import { readEach } from "../../feed/read-parts.ts";
import { readJson, shaped } from "../../payload/body.ts";
import { amountNumber, amountText, figureNumber, isoInstant } from "../../payload/published.ts";
import { contractCount, contractPrice } from "./venue-readings.ts";

/** A series: the same question, repeated every hour, day, week, month or year. */
export interface KalshiSeries {
  readonly ticker: string;
  readonly metal: SurfaceMetal;
}

/**
 * Series whose markets settle on the price at their close. Those that ask whether a price is up or down from before are excluded:
 * they have no strike.
 */
export const KALSHI_SERIES: readonly KalshiSeries[] = [
  { ticker: "KXGOLDH", metal: "xau" },
  { ticker: "KXGOLDD", metal: "xau" },
  { ticker: "KXGOLDW", metal: "xau" },
  { ticker: "KXGOLDMON", metal: "xau" },
  { ticker: "KXGOLDDIRY", metal: "xau" },
  { ticker: "KXSILVERD", metal: "xag" },
  { ticker: "KXSILVERW", metal: "xag" },
];

/** A series's trading costs. */
export type KalshiFees = Pick<DigitalMarket, "feeModel" | "feeTerms">;

/** A series whose fees could not be read: its markets produce no signal. */
export const UNKNOWN_FEES: KalshiFees = { feeModel: "unknown" };

/** The general rate, which a series multiplies. */
const GENERAL_RATE = "0.07";
/** Makers' fees do not affect takers. */
const QUADRATIC = /^quadratic(_|$)/;

const seriesBody = z.object({ series: z.object({ ticker: z.string(), fee_type: z.string(), fee_multiplier: amountNumber }) });

/**
 * A series's fees; unknown where the formula is not the general one.
 * @throws FeedError when the seriesBody is not that series
 */
export const parseKalshiFees = (text: string, { ticker }: KalshiSeries): KalshiFees => {
  const schema = seriesBody.refine(({ series }) => series.ticker === ticker, {
    path: ["series", "ticker"],
    error: `must be ${ticker}`,
  });
  const { fee_type, fee_multiplier } = readJson(text, schema).series;
  if (!QUADRATIC.test(fee_type)) return UNKNOWN_FEES;
  return { feeModel: "kalshi", feeTerms: { rate: dec(GENERAL_RATE).mul(fee_multiplier).toFixed() } };
};

/** An open market that pays if the price is above a strike. */
export interface ListedMarket {
  readonly ticker: string;
  readonly strike: DecimalText;
  /** When it closes, which is also when its settlement price is read. */
  readonly closesAtMs: number;
  /** Dollars; 0 without a bid. */
  readonly yesBid: DecimalText;
  /** Dollars; 1 without an offer. */
  readonly yesAsk: DecimalText;
  /** Contracts traded so far, of one dollar each; null where the venue does not say. */
  readonly contracts: DecimalText | null;
}

/** A page, and the cursor of the next one; empty after the last. */
interface MarketsPage {
  readonly markets: readonly ListedMarket[];
  readonly cursor: string;
}

/** The venue sends "" or nothing for a missing value. */
const bestPrice = z.union([z.literal(""), contractPrice], "must be a price from 0 to 1").nullish();
const page = z.object({ cursor: z.string().nullish(), markets: z.array(z.unknown()) });
const kind = z.object({ market_type: z.string(), status: z.string(), strike_type: z.string().nullish() });
const market = z.object({
  ticker: z.string().regex(/^[A-Z0-9][A-Z0-9.-]{0,63}$/, "must be a ticker"),
  floor_strike: figureNumber,
  close_time: isoInstant,
  yes_bid_dollars: bestPrice,
  yes_ask_dollars: bestPrice,
  volume_fp: amountText.nullish(),
});

/** For a price that moves in tenths of a cent, "above" and "at or above" are the same. */
const ABOVE = new Set(["greater", "greater_or_equal"]);

const marketOf = (value: unknown): ListedMarket | null => {
  const { market_type, status, strike_type } = shaped(value, kind);
  if (market_type !== "binary" || status !== "active" || !ABOVE.has(strike_type ?? "")) return null;
  const { ticker, floor_strike, close_time, yes_bid_dollars, yes_ask_dollars, volume_fp } = shaped(value, market);
  const prices = { yesBid: yes_bid_dollars || "0", yesAsk: yes_ask_dollars || "1" };
  return { ticker, strike: floor_strike, closesAtMs: close_time, ...prices, contracts: volume_fp ?? null };
};

/**
 * Markets of other forms, such as ranges, and those not trading are skipped.
 * @throws FeedError when the body is not a page of markets, or none can be parsed
 */
export const parseKalshiMarkets = (text: string, partial: FeedContext["partial"]): MarketsPage => {
  const { cursor, markets } = readJson(text, page);
  return { cursor: cursor ?? "", markets: readEach(markets, "market", marketOf, partial) };
};

const level = z.tuple([contractPrice, contractCount]).transform(([price, size]): BookLevel => ({ price, size }));
/** An empty side may be null, but must be present. */
const bids = z
  .array(level)
  .nullable()
  .transform((levels) => levels ?? []);
/** The venue lists only bids: a bid for no at q is an offer of yes at 1 − q. */
const book = z
  .object({ orderbook_fp: z.object({ yes_dollars: bids, no_dollars: bids }) })
  .transform(({ orderbook_fp }) => bookFromBids(orderbook_fp.yes_dollars, orderbook_fp.no_dollars));
const named = z.object({ ticker: z.string() });
const booksBody = z.object({ orderbooks: z.array(z.unknown()) });

/** @throws FeedError when it is not a book */
export const readKalshiBook = (value: unknown): YesBook => shaped(value, book);

/**
 * Books by ticker, with the published digits of the bids; asks are exact.
 * @throws FeedError when the booksBody has no books, or none can be parsed
 */
export const parseKalshiBooks = (text: string, partial: FeedContext["partial"]): ReadonlyMap<string, YesBook> => {
  const read = (value: unknown): [string, YesBook] => [shaped(value, named).ticker, readKalshiBook(value)];
  return new Map(readEach(readJson(text, booksBody).orderbooks, "book", read, partial));
};
