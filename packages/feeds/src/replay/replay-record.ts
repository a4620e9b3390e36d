/** The contents of a replay file: instants in epoch milliseconds, figures as written. */
import type { DecimalText } from "@assay/contract";
import type { MarketReading, PriceObservation } from "@assay/pricing";
import type { ReplayLine, ReplayLineOf } from "./records.ts";

interface Origin {
  readonly source: string;
  readonly observedAtMs: number;
}

/** A dealer's price of one product, in the dealer's currency for its whole weight. */
export interface DealerRecord extends Origin {
  readonly kind: "dealer";
  /** ISO 3166-1 alpha-2. */
  readonly country: ReplayLineOf<"dealer">["country"];
  readonly dealer: string;
  readonly product: string;
  readonly karat: number;
  readonly weight: DecimalText;
  readonly weightUnit: ReplayLineOf<"dealer">["weight_unit"];
  readonly currency: string;
  /** What a customer pays; null where it is not published. */
  readonly sell: DecimalText | null;
  /** What a customer is paid. */
  readonly buyback: DecimalText | null;
}

/** An option's quotes, in USD per troy ounce; null for a missing side. */
export interface OptionRecord extends Origin {
  readonly kind: "option";
  readonly metal: "XAU" | "XAG";
  /** YYYY-MM-DD. */
  readonly expiry: string;
  readonly side: "call" | "put";
  readonly strike: DecimalText;
  readonly bid: DecimalText | null;
  readonly ask: DecimalText | null;
  readonly bidSize: DecimalText | null;
  readonly askSize: DecimalText | null;
  readonly style: "european" | "american";
}

/** A prediction market's book: prices from 0 to 1 of a contract that pays one dollar. */
export interface MarketRecord extends MarketReading {
  readonly kind: "market";
}

/** The source is silent from here on. */
export interface SilenceRecord extends Origin {
  readonly kind: "silence";
}

/** Any record. */
export type ReplayRecord = PriceObservation | DealerRecord | OptionRecord | MarketRecord | SilenceRecord;

/**
 * A line as a record.
 * @param freshForMs how long a currency table of this source stays fresh
 */
export const recordOf = (line: ReplayLine, freshForMs: number): ReplayRecord => {
  const origin = { source: line.source, observedAtMs: line.observed_at };
  switch (line.kind) {
    case "spot": {
      const { bid, ask, volume } = line;
      const stated = {
        ...(bid !== undefined && { bid }),
        ...(ask !== undefined && { ask }),
        ...(volume !== undefined && { volume }),
      };
      return { kind: "spot", ...origin, instrument: line.instrument, price: line.price, ...stated };
    }
    case "fx":
      return { kind: "fx", ...origin, role: line.role, base: line.base, rates: line.rates, freshForMs };
    case "bar": {
      const { symbol, interval, open, high, low, close, volume } = line;
      return { kind: "bar", ...origin, symbol, interval, barStartMs: line.bar_start, open, high, low, close, volume };
    }
    case "settlement": {
      const { symbol, contract: futuresContract, settlement_date: settlementDate, price, volume } = line;
      return {
        kind: "settlement",
        ...origin,
        sourceType: line.source_type ?? "proxy_daily_close",
        symbol,
        futuresContract,
        settlementDate,
        price,
        volume,
        openInterest: line.open_interest,
      };
    }
    case "dealer": {
      const { country, dealer, product, karat, weight, weight_unit: weightUnit, currency, sell, buyback } = line;
      return { kind: "dealer", ...origin, country, dealer, product, karat, weight, weightUnit, currency, sell, buyback };
    }
    case "option": {
      const { metal, expiry, side, strike, bid, ask, bid_size: bidSize, ask_size: askSize, style } = line;
      return { kind: "option", ...origin, metal, expiry, side, strike, bid, ask, bidSize, askSize, style };
    }
    case "market": {
      const { metal, expiry, market_id: marketId, condition, strike, yes_bid: yesBid, yes_ask: yesAsk } = line;
      const sizes = { bidSizeUsd: line.bid_size_usd, askSizeUsd: line.ask_size_usd, feeModel: line.fee_model };
      return { kind: "market", ...origin, metal, expiry, marketId, condition, strike, yesBid, yesAsk, ...sizes };
    }
    case "silence":
      return { kind: "silence", ...origin };
  }
};
