/** Conversion between metals and currencies, in all four directions, through the US dollar. */
import {
  CONVERT_METALS,
  type Currency,
  type DecimalText,
  type Metal,
  readCurrency,
  upperCase,
  WEIGHT_UNITS,
  type WeightUnit,
} from "@assay/contract";
import { gramsPer, metalUnit } from "../conventions/units.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, ONE } from "../number/exact.ts";
import { METAL_DECIMALS, minorUnits, presentFigure, presentRate } from "../number/present.ts";
import { isDecimalText } from "../number/scaled.ts";

export type ConvertLeg =
  | { readonly kind: "metal"; readonly code: Metal }
  | { readonly kind: "currency"; readonly code: Currency };

/**
 * Parses the code of a leg: a metal in any case, a currency in one.
 * @returns the leg; null when it is neither a convertible metal nor a quote currency
 */
export const readLeg = (code: string): ConvertLeg | null => {
  const upper = upperCase(code);
  const metal = CONVERT_METALS.find((known) => known === upper);
  if (metal) return { kind: "metal", code: metal };
  const currency = readCurrency(code);
  return currency ? { kind: "currency", code: currency } : null;
};

export interface ConvertRequest {
  readonly from: string;
  readonly to: string;
  /** Decimal text. */
  readonly amount: string;
  /** Weight unit of the metal side. */
  readonly unit: string;
}

/** Why the conversion failed; the wire's error codes. */
export type ConvertFailure =
  | { readonly reason: "unsupported_currency" | "unsupported_unit" | "bad_request" }
  /** @property missing the legs without a price or rate */
  | { readonly reason: "spot_unavailable"; readonly missing: readonly ConvertLeg[] };

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
      /** amount × the unrounded rate: the currency's minor units, metals 6 decimals, rounded half up once; never zero. */
      readonly result: DecimalText;
      readonly unit: WeightUnit;
    }
  | ({ readonly ok: false } & ConvertFailure);

const failed = (reason: "unsupported_currency" | "unsupported_unit" | "bad_request"): Conversion => ({ ok: false, reason });

/**
 * Converts an amount.
 *
 * One unit of a leg is worth, in USD: for a metal, its spot price times its price's units in the weight unit; for a
 * currency, one over its rate. rate = worth of `from` / worth of `to`; between two metals the weight unit is on both sides and
 * cancels out.
 * @param request the request; codes in any case
 * @param spotUsd a metal's spot price in USD per the unit it is priced in, unrounded; null when there is none
 * @param rate units of a currency for one USD, unrounded (an FxRate does); null when there is none
 * @returns the conversion, or the reason for failing: an unknown code, an unknown unit, an amount that is not a finite number
 *   above zero, or a missing price or rate
 */
export const convert = (
  request: ConvertRequest,
  spotUsd: (metal: Metal) => Exact | null,
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

  const worthUsd = (leg: ConvertLeg): Fraction | null => {
    const figure = leg.kind === "metal" ? spotUsd(leg.code) : rate(leg.code);
    if (figure === null) return null;
    const exact = fraction(figure);
    if (exact.numerator <= 0n) return null;
    if (leg.kind === "currency") return divideExact(ONE, exact);
    return multiplyExact(exact, divideExact(fraction(gramsPer(unit)), fraction(gramsPer(metalUnit(leg.code)))));
  };
  const fromUsd = worthUsd(from);
  const toUsd = worthUsd(to);
  if (!fromUsd || !toUsd) {
    const missing = [fromUsd ? [] : [from], toUsd || to.code === from.code ? [] : [to]].flat();
    return { ok: false, reason: "spot_unavailable", missing };
  }

  const value = divideExact(fromUsd, toUsd);
  const decimals = to.kind === "metal" ? METAL_DECIMALS : minorUnits(to.code);
  return {
    ok: true,
    from,
    to,
    amount: plainAmount(request.amount),
    rate: presentRate(value),
    result: presentFigure(multiplyExact(amount, value), decimals),
    unit,
  };
};

/** An amount without leading or trailing zeros. */
const plainAmount = (amount: DecimalText): DecimalText => {
  const [whole = "0", decimals = ""] = amount.split(".");
  const significant = decimals.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=[0-9])/, "")}${significant && `.${significant}`}`;
};
