/** A page of Kalshi's markets: question, close time and best prices of each; books are requested separately. */
import type { DecimalText } from "@assay/contract";
import { z } from "zod";
import type { FeedContext } from "../../feed/feed.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { amountText, figureNumber, isoInstant } from "../../payload/published.ts";
import { contractPrice } from "./book-levels.ts";
import { readEach } from "./read-each.ts";

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
export interface MarketsPage {
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
