/** Prediction markets reported one by one, with only their best prices. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { expiryOf } from "../surface/option-reading.ts";
import type { BookLevel, DigitalMarket } from "./digital-market.ts";

/** One market's best prices, as a source of single markets reports it. */
export interface MarketReading {
  readonly source: string;
  readonly metal: "XAU" | "XAG";
  /** YYYY-MM-DD. */
  readonly expiry: string;
  readonly marketId: string;
  /** At expiry above the strike, or ever touching it. */
  readonly condition: "above" | "touch";
  readonly strike: DecimalText;
  readonly yesBid: DecimalText | null;
  readonly yesAsk: DecimalText | null;
  /** Payout in dollars at the bid. */
  readonly bidSizeUsd: DecimalText | null;
  /** Payout in dollars at the ask. */
  readonly askSizeUsd: DecimalText | null;
  readonly feeModel: string;
  readonly observedAtMs: number;
}

const levels = (price: DecimalText | null, size: DecimalText | null): BookLevel[] =>
  price === null || size === null ? [] : [{ price, size }];

/**
 * A single reading as a market. All readings of a metal and day are treated as bets on one figure, spot at the day's expiry.
 * @param reading the reading
 */
export const marketFrom = (reading: MarketReading): DigitalMarket => ({
  venue: reading.source,
  marketId: reading.marketId,
  metal: reading.metal.toLowerCase() as SurfaceMetal, // the two metals there are
  kind: reading.condition === "above" ? "terminal" : "touch",
  strike: reading.strike,
  expiresAtMs: expiryOf(reading.expiry),
  reference: `spot:${reading.metal}/USD`,
  feeModel: reading.feeModel,
  book: { bids: levels(reading.yesBid, reading.bidSizeUsd), asks: levels(reading.yesAsk, reading.askSizeUsd) },
  volumeUsd: null,
  retrievedAtMs: reading.observedAtMs,
});
