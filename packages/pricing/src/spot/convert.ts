/** Conversion between metals and currencies, in all four directions, through the US dollar. */
import { CURRENCIES, type Currency, type DecimalText, upperCase, WEIGHT_UNITS, type WeightUnit } from "@assay/contract";
import { GRAMS_PER, GRAMS_PER_TROY_OUNCE } from "../market/units.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, toFixedText } from "../number/fraction.ts";
import { METAL_DECIMALS, MINOR_UNITS, presentRate } from "../number/present.ts";
import { isDecimalText } from "../number/scaled.ts";

/** The metals that can be converted. */
export const CONVERT_METALS = ["XAU", "XAG"] as const;
/** A metal that can be converted. */
export type ConvertMetal = (typeof CONVERT_METALS)[number];

/** One side of a conversion. */
export type ConvertLeg =
  | { readonly kind: "metal"; readonly code: ConvertMetal }
  | { readonly kind: "currency"; readonly code: Currency };

/**
 * Parses the code of a leg, in any case.
 * @returns the leg; null when it is neither XAU, XAG nor one of the 31 currencies
 */
export const readLeg = (code: string): ConvertLeg | null => {
  const upper = upperCase(code);
  const metal = CONVERT_METALS.find((known) => known === upper);
  if (metal) return { kind: "metal", code: metal };
  const currency = CURRENCIES.find((known) => known === upper);
  return currency ? { kind: "currency", code: currency } : null;
};

/** The request. */
export interface ConvertRequest {
  readonly from: string;
  readonly to: string;
  /** Decimal text. */
  readonly amount: string;
  /** Weight unit of the metal side. */
  readonly unit: string;
}

/** Why the conversion failed; the wire's error codes. */
export type ConvertFailure = "unsupported_currency" | "unsupported_unit" | "bad_request" | "spot_unavailable";

/** A conversion, or why it failed. */
export type Conversion =
  | {
      readonly ok: true;
      readonly from: ConvertLeg;
      readonly to: ConvertLeg;
      /** As requested, without redundant zeros. */
      readonly amount: DecimalText;
      /** The value of one unit, at most 18 significant digits. */
      readonly rate: DecimalText;
      /** amount × the unrounded rate: the currency's minor units, metals 6 decimals, rounded half up once. */
      readonly result: DecimalText;
      readonly unit: WeightUnit;
    }
  | { readonly ok: false; readonly reason: ConvertFailure };

const failed = (reason: ConvertFailure): Conversion => ({ ok: false, reason });

/**
 * Converts an amount.
 *
 * One unit of a leg is worth, in USD: for a metal, its spot price per troy ounce times the ounces in the weight unit; for a
 * currency, one over its rate. rate = worth of `from` / worth of `to`; between two metals the weight unit is on both sides and
 * cancels out.
 * @param request the request; codes in any case
 * @param spotUsd a metal's spot price in USD per troy ounce, unrounded; null when there is none
 * @param rate units of a currency for one USD, unrounded (an FxRate does); null when there is none
 * @returns the conversion, or the reason for failing: an unknown code, an unknown unit, an amount that is not a finite number
 *   above zero, or a missing price or rate
 */
export const convert = (
  request: ConvertRequest,
  spotUsd: (metal: ConvertMetal) => Exact | null,
  rate: (currency: Currency) => Exact | null,
): Conversion => {
  const from = readLeg(request.from);
  const to = readLeg(request.to);
  if (!from || !to) return failed("unsupported_currency");
  const unit = WEIGHT_UNITS.find((known) => known === request.unit);
  if (!unit) return failed("unsupported_unit");
  if (!isDecimalText(request.amount)) return failed("bad_request");
  const amount = fraction(request.amount);
  if (amount.numerator <= 0n) return failed("bad_request");

  const ouncesPerUnit = divideExact(fraction(GRAMS_PER[unit]), fraction(GRAMS_PER_TROY_OUNCE));
  const worthUsd = (leg: ConvertLeg): Fraction | null => {
    const figure = leg.kind === "metal" ? spotUsd(leg.code) : rate(leg.code);
    if (figure === null) return null;
    const exact = fraction(figure);
    if (exact.numerator <= 0n) return null;
    return leg.kind === "metal" ? multiplyExact(exact, ouncesPerUnit) : divideExact({ numerator: 1n, denominator: 1n }, exact);
  };
  const fromUsd = worthUsd(from);
  const toUsd = worthUsd(to);
  if (!fromUsd || !toUsd) return failed("spot_unavailable");

  const value = divideExact(fromUsd, toUsd);
  const decimals = to.kind === "metal" ? METAL_DECIMALS : MINOR_UNITS[to.code];
  return {
    ok: true,
    from,
    to,
    amount: plainAmount(request.amount),
    rate: presentRate(value),
    result: toFixedText(multiplyExact(amount, value), decimals),
    unit,
  };
};

/** An amount without leading or trailing zeros. */
const plainAmount = (amount: DecimalText): DecimalText => {
  const [whole = "0", decimals = ""] = amount.split(".");
  const significant = decimals.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=[0-9])/, "")}${significant && `.${significant}`}`;
};
