/** Validation rules for a dealer's quote before it is served. Above all they catch prices in another unit than stated. */
import { catalogue } from "@assay/catalogue";
import { type DealerForm, type DecimalText, PHYSICAL_MARKETS, type PhysicalCountry } from "@assay/contract";
import type { Fraction } from "../number/exact.ts";
import { isDecimalText } from "../number/scaled.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "../readings/validation.ts";
import { finenessOf, type ProductQuote, premiumOf, spotPerGram } from "./dealer-quote.ts";

export type DealerRule =
  | TimeRule
  /** A figure that is not a plain decimal. */
  | "malformed"
  /** A price or weight that is not above zero. */
  | "not_positive"
  /** Neither side is quoted. */
  | "no_price"
  /** No purity, or an impossible one. */
  | "no_purity"
  /** A currency other than the country's. */
  | "wrong_currency"
  /** A buyback above the sell price. */
  | "crossed"
  /** Off by about a power of ten: a price in another unit. */
  | "unit_slip"
  /** Further from spot than dealers of this country ever are. */
  | "premium_out_of_range";

/** The range of premiums in a country, in bps, inclusive. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface CountryBounds {
  /** Sell prices of bars and coins. */
  readonly bar: Range;
  /** Sell prices of jewellery, and reference rates. */
  readonly jewellery: Range;
  /** How far buyback prices may be below and above spot. */
  readonly buyback: Range;
}

const country = (bar: readonly [number, number], jewellery: readonly [number, number]): CountryBounds => ({
  bar: { least: bar[0], most: bar[1] },
  jewellery: { least: jewellery[0], most: jewellery[1] },
  buyback: { least: -3_000, most: bar[1] },
});

/**
 * The bounds of each country: −3 % to 15 % for bars and −5 % to 40 % for jewellery by default; wider where duty or sales tax is
 * in the price (China, India, Japan, Nepal, Pakistan), where shops charge for the brand (China, Hong Kong), or where supply is
 * rationed (Egypt, Vietnam). All are far below a factor of ten, and of 11.66 (gram for tola), 31.1 (gram for ounce) and 37.5
 * (gram for luong).
 */
const BOUNDS: Readonly<Record<PhysicalCountry, CountryBounds>> = {
  AE: country([-300, 1_500], [-500, 4_000]),
  CN: country([-300, 3_000], [-500, 5_000]),
  EG: country([-1_000, 3_000], [-1_000, 4_000]),
  HK: country([-300, 2_500], [-500, 4_000]),
  ID: country([-300, 3_500], [-500, 4_000]),
  IN: country([-800, 2_500], [-800, 4_500]),
  JP: country([-300, 2_500], [-500, 4_500]),
  MY: country([-300, 1_500], [-500, 4_000]),
  NP: country([-500, 3_000], [-500, 4_500]),
  PK: country([-1_500, 3_000], [-1_500, 4_500]),
  SA: country([-300, 2_000], [-500, 4_000]),
  VN: country([-500, 4_000], [-500, 4_500]),
};

const currencyOf = (country: PhysicalCountry): string | undefined =>
  PHYSICAL_MARKETS.find((market) => market.country === country)?.currency;

/** Approximate units per dollar: enough to detect a wrong unit while the rate is unknown. */
const roughRate = (country: PhysicalCountry): DecimalText =>
  String(catalogue.currency(currencyOf(country) ?? "").approximate_per_usd);

const rangeOf = (bounds: CountryBounds, form: DealerForm): Range =>
  form === "bar" || form === "coin" ? bounds.bar : bounds.jewellery;

/** Approximate gold price in 2026, in USD per troy ounce: enough to detect a wrong unit while no price is known. */
const ROUGH_USD_PER_OZT: DecimalText = "4000";

/** A figure counts as a wrong unit when it is at least this many times too large or too small. */
const SLIP = 5;

const validateFigures = (quote: ProductQuote): Verdict<DealerRule> => {
  const { sell, buyback, weight, fineness, karat } = quote;
  for (const [name, text] of Object.entries({ sell, buyback, weight })) {
    if (text === null) continue;
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    if (!(Number(text) > 0)) return refused("not_positive", `${name} ${text}`);
  }
  if (sell === null && buyback === null) return refused("no_price", "neither side");
  if (!finenessOf(fineness, karat)) return refused("no_purity", `karat ${karat}, fineness ${fineness}`);
  const currency = currencyOf(quote.country);
  if (quote.currency !== currency) return refused("wrong_currency", `${quote.currency} instead of ${currency}`);
  if (sell !== null && buyback !== null && Number(buyback) > Number(sell))
    return refused("crossed", `buyback ${buyback} above sell ${sell}`);
  return PASSED;
};

const validatePremium = (side: string, bps: number | null, { least, most }: Range): Verdict<DealerRule> => {
  if (bps === null || (bps >= least && bps <= most)) return PASSED;
  const ratio = 1 + bps / 10_000;
  const isSlip = isRatioOfSlip(bps);
  const figure = isSlip ? `${ratio.toPrecision(3)} times spot` : `${bps} bps over spot`;
  return refused(isSlip ? "unit_slip" : "premium_out_of_range", `${side} ${figure}, believable is ${least} to ${most} bps`);
};

export interface DealerContext {
  readonly nowMs: number;
  /** How long its source's figures stay fresh. */
  readonly freshForMs: number;
  /** Spot per gram in the quote's currency; null when spot or the rate is missing: then only wrong units are detected. */
  readonly spot: Fraction | null;
  /** Spot in USD per troy ounce, when known. */
  readonly usdPerOzt?: DecimalText | null;
}

const isRatioOfSlip = (bps: number): boolean => 1 + bps / 10_000 >= SLIP || 1 + bps / 10_000 <= 1 / SLIP;

/**
 * Whether a price is off by about a power of ten, so that it must be in another unit than stated.
 * @param spot spot per gram in the quote's currency
 */
export const isUnitSlip = (quote: ProductQuote, spot: Fraction): boolean => {
  const premium = premiumOf(quote, spot);
  return [premium?.premiumOverSpotBps, premium?.buybackPremiumBps].some((bps) => bps != null && isRatioOfSlip(bps));
};

/**
 * Validates a dealer's quote against every rule, in this order: time, figures, currency, sides, premium of each side.
 * @param quote the quote, as the feed made it
 * @param context what it is compared with
 * @returns ok, or the first rule it breaks
 */
export const validateDealerQuote = (
  quote: ProductQuote,
  { nowMs, freshForMs, spot, usdPerOzt }: DealerContext,
): Verdict<DealerRule> => {
  const timely = validateTime(quote.observedAtMs, nowMs, freshForMs);
  if (!timely.ok) return timely;
  const figures = validateFigures(quote);
  if (!figures.ok) return figures;
  const bounds = BOUNDS[quote.country];
  if (spot === null) {
    const rough = spotPerGram(usdPerOzt ?? ROUGH_USD_PER_OZT, roughRate(quote.country));
    return isUnitSlip(quote, rough) ? refused("unit_slip", "far from what gold costs, though the rate is not known") : PASSED;
  }
  const premium = premiumOf(quote, spot);
  const sell = validatePremium("sell", premium?.premiumOverSpotBps ?? null, rangeOf(bounds, quote.form));
  return sell.ok ? validatePremium("buyback", premium?.buybackPremiumBps ?? null, bounds.buyback) : sell;
};
