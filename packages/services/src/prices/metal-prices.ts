/** The prices that pieces are priced with: one for each metal and side, all as of one instant. */
import { type AssayContract, type DecimalText, formatTimestamp, type OutputOf } from "@assay/contract";
import { type Fraction, gramsPer, metalUnit, presentRate, pricePerFineGram, withPremium } from "@assay/pricing";
import type { MarketView } from "../market/market-view.ts";
import { missingMessage, type PricePart } from "./missing-parts.ts";
import { presentParts } from "./price-parts.ts";

type Shown = OutputOf<AssayContract["quotes"]["create"]>["prices"][number];

export interface MetalPrice {
  readonly finePrice: Fraction;
  readonly computedAtMs: number;
  readonly shown: Shown;
}

/** Where a side's price comes from: the shop sells at the ask and buys at the bid. */
const BASIS = { sell: "ask", buy: "bid" } as const;

export class MetalPrices {
  readonly #market: MarketView;
  readonly #currency: string;
  readonly #asOfMs: number;
  readonly #premium: DecimalText | undefined;
  readonly #known = new Map<string, MetalPrice | string>();

  /** @param premium percent that every price is raised by */
  constructor(market: MarketView, currency: string, asOfMs: number, premium?: DecimalText) {
    this.#market = market;
    this.#currency = currency;
    this.#asOfMs = asOfMs;
    this.#premium = premium;
  }

  /** The price of a metal on a side, the same however often it is asked for; or what is missing of it, in words. */
  of(metal: string, side: Shown["side"]): MetalPrice | string {
    const key = `${side} ${metal}`;
    const known = this.#known.get(key) ?? this.#read(metal, side);
    this.#known.set(key, known);
    return known;
  }

  /** Those that were asked for and are there, in that order. */
  used(): MetalPrice[] {
    return [...this.#known.values()].filter((each) => typeof each !== "string");
  }

  #read(metal: string, side: Shown["side"]): MetalPrice | string {
    const currency = this.#currency;
    const { price, rate, stale } = this.#market.standingOf({ instrument: `${metal}-USD-SPOT`, currency }, this.#asOfMs);
    if (!price || !rate) {
      const missing: PricePart[] = [];
      if (!price) missing.push({ kind: "metal", code: metal });
      if (!rate) missing.push({ kind: "currency", code: currency });
      return missingMessage(missing);
    }
    const ofSide = price[BASIS[side]];
    const usd = ofSide ?? price.price;
    // The rate as it is shown: whoever has the answer can compute its figures again, to the last digit.
    const shownRate = presentRate(rate);
    const premium = this.#premium;
    const finePrice = withPremium(pricePerFineGram(usd, metal, shownRate), premium);
    return {
      finePrice,
      computedAtMs: price.computedAtMs,
      shown: {
        metal,
        side,
        basis: ofSide === undefined ? "price" : BASIS[side],
        unit_grams: gramsPer(metalUnit(metal)).toFixed(),
        price_per_fine_gram: presentRate(finePrice),
        ...(premium !== undefined && { premium_percent: premium }),
        fx_rate: shownRate,
        fx_source: rate.source,
        ...presentParts(usd, rate),
        computed_at: formatTimestamp(price.computedAtMs),
        is_stale: stale.isStale,
        ...(stale.isStale && { stale_reason: stale.reason }),
      },
    };
  }
}
