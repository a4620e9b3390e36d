/** The rules a dealer's quote obeys before it is served. What they catch above all is a price in another unit than it claims. */
import type { DealerForm, PhysicalCountry } from "@assay/contract";
import type { ProductQuote } from "./dealer-quote.ts";
import type { Fraction } from "./fraction.ts";
import { premiumOf } from "./premium.ts";
import { finenessOf } from "./premium-fineness.ts";
import { isDecimalText } from "./scaled.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "./validation.ts";

/** The rules, by name. */
export type DealerRule =
  | TimeRule
  /** A figure that is no plain decimal. */
  | "malformed"
  /** A price or weight that is not above zero. */
  | "not_positive"
  /** No side at all. */
  | "no_price"
  /** No purity, or one that cannot be. */
  | "no_purity"
  /** Another currency than the country's. */
  | "wrong_currency"
  /** A buyback above the sell price. */
  | "crossed"
  /** Off by about a power of ten: a price of another unit. */
  | "unit_slip"
  /** Further from spot than this country's trade ever is. */
  | "premium_out_of_range";

/** How far from spot a country's dealers are, in bps, inclusive. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** What is believable of a country. */
interface CountryBounds {
  readonly currency: string;
  /** Sell prices of bars and coins. */
  readonly bar: Range;
  /** Sell prices of jewellery, and reference rates. */
  readonly jewellery: Range;
  /** How far buyback prices lie below spot at most, and above it. */
  readonly buyback: Range;
}

const country = (currency: string, bar: readonly [number, number], jewellery: readonly [number, number]): CountryBounds => ({
  currency,
  bar: { least: bar[0], most: bar[1] },
  jewellery: { least: jewellery[0], most: jewellery[1] },
  buyback: { least: -3_000, most: bar[1] },
});

/**
 * The bounds of each country: −3 % to 15 % for bars and −5 % to 40 % for jewellery where nothing else is known; wider where
 * duty or sales tax is in the price (India, Japan, Nepal, Pakistan) or trade is rationed (Egypt, Vietnam). All are far inside a
 * factor of ten, and of 11.66 (gram for tola), 31.1 (gram for ounce) and 37.5 (gram for luong).
 */
const BOUNDS: Readonly<Record<PhysicalCountry, CountryBounds>> = {
  AE: country("AED", [-300, 1_500], [-500, 4_000]),
  CN: country("CNY", [-300, 2_000], [-500, 5_000]),
  EG: country("EGP", [-1_000, 3_000], [-1_000, 4_000]),
  HK: country("HKD", [-300, 1_500], [-500, 4_000]),
  ID: country("IDR", [-300, 3_500], [-500, 4_000]),
  IN: country("INR", [-800, 2_500], [-800, 4_500]),
  JP: country("JPY", [-300, 2_500], [-500, 4_500]),
  MY: country("MYR", [-300, 1_500], [-500, 4_000]),
  NP: country("NPR", [-500, 3_000], [-500, 4_500]),
  PK: country("PKR", [-1_500, 3_000], [-1_500, 4_500]),
  SA: country("SAR", [-300, 2_000], [-500, 4_000]),
  VN: country("VND", [-500, 4_000], [-500, 4_500]),
};

const rangeOf = (bounds: CountryBounds, form: DealerForm): Range =>
  form === "bar" || form === "coin" ? bounds.bar : bounds.jewellery;

/** A figure is at least this many times too large or too small when it is called a slip of units. */
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
  const { currency } = BOUNDS[quote.country];
  if (quote.currency !== currency) return refused("wrong_currency", `${quote.currency} instead of ${currency}`);
  if (sell !== null && buyback !== null && Number(buyback) > Number(sell))
    return refused("crossed", `buyback ${buyback} above sell ${sell}`);
  return PASSED;
};

const validatePremium = (side: string, bps: number | null, { least, most }: Range): Verdict<DealerRule> => {
  if (bps === null || (bps >= least && bps <= most)) return PASSED;
  const ratio = 1 + bps / 10_000;
  const isSlip = ratio >= SLIP || ratio <= 1 / SLIP;
  const figure = isSlip ? `${ratio.toPrecision(3)} times spot` : `${bps} bps over spot`;
  return refused(isSlip ? "unit_slip" : "premium_out_of_range", `${side} ${figure}, believable is ${least} to ${most} bps`);
};

/** What a quote is held against. */
export interface DealerContext {
  readonly nowMs: number;
  /** How long its source's figures stay fresh. */
  readonly freshForMs: number;
  /** Spot per gram in the quote's currency; null when spot or the rate is missing, and then the premium is not checked. */
  readonly spot: Fraction | null;
}

/**
 * Checks a dealer's quote against every rule, in this order: time, figures, currency, sides, premium of each side.
 * @param quote the quote, as the feed made it
 * @param context what it is held against
 * @returns ok, or the first rule it breaks
 */
export const validateDealerQuote = (quote: ProductQuote, { nowMs, freshForMs, spot }: DealerContext): Verdict<DealerRule> => {
  const timely = validateTime(quote.observedAtMs, nowMs, freshForMs);
  if (!timely.ok) return timely;
  const figures = validateFigures(quote);
  if (!figures.ok) return figures;
  const premium = premiumOf(quote, spot);
  const bounds = BOUNDS[quote.country];
  const sell = validatePremium("sell", premium?.premiumOverSpotBps ?? null, rangeOf(bounds, quote.form));
  return sell.ok ? validatePremium("buyback", premium?.buybackPremiumBps ?? null, bounds.buyback) : sell;
};
