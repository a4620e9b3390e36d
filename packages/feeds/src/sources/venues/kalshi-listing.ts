/** A page of Kalshi's markets: what each asks, until when, and its best prices; the books are asked for apart. */
import type { DecimalText } from "@assay/contract";
import { z } from "zod";
import type { FeedContext } from "../../feed.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { amountText, figureNumber, isoInstant } from "../../payload/published.ts";
import { contractPrice } from "./book-levels.ts";
import { readEach } from "./read-each.ts";

/** An open market that pays if the price is above a strike. */
export interface ListedMarket {
  readonly ticker: string;
  readonly strike: DecimalText;
  /** When it closes, which is when the price is read that settles it. */
  readonly closesAtMs: number;
  /** Dollars; 0 where nobody bids. */
  readonly yesBid: DecimalText;
  /** Dollars; 1 where nobody offers. */
  readonly yesAsk: DecimalText;
  /** Contracts traded so far, of a dollar each; null where the venue does not say. */
  readonly contracts: DecimalText | null;
}

/** A page, and where the next one begins; empty after the last. */
export interface MarketsPage {
  readonly markets: readonly ListedMarket[];
  readonly cursor: string;
}

/** The venue says "" or nothing for what is not there. */
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

/** Of a price that moves by tenths of a cent, "above" and "at or above" are one. */
const ABOVE = new Set(["greater", "greater_or_equal"]);

const marketOf = (value: unknown): ListedMarket | null => {
  const { market_type, status, strike_type } = shaped(value, kind);
  if (market_type !== "binary" || status !== "active" || !ABOVE.has(strike_type ?? "")) return null;
  const { ticker, floor_strike, close_time, yes_bid_dollars, yes_ask_dollars, volume_fp } = shaped(value, market);
  const prices = { yesBid: yes_bid_dollars || "0", yesAsk: yes_ask_dollars || "1" };
  return { ticker, strike: floor_strike, closesAtMs: close_time, ...prices, contracts: volume_fp ?? null };
};

/**
 * Markets of other forms, such as ranges, and those that do not trade are left out.
 * @throws FeedError when the body is no page of markets, or holds none that can be read
 */
export const parseKalshiMarkets = (text: string, partial: FeedContext["partial"]): MarketsPage => {
  const { cursor, markets } = readJson(text, page);
  return { cursor: cursor ?? "", markets: readEach(markets, "market", marketOf, partial) };
};
