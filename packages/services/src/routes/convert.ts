/** GET /v1/convert: metals and currencies, in all four directions. */
import {
  type AssayContract,
  CONVERT_METALS,
  CURRENCIES,
  type Currency,
  formatTimestamp,
  unsupportedCurrency,
  type Verb,
} from "@assay/contract";
import { type ConvertLeg, convert, type Exact, isFallback, readLeg, type StaleReason } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { readGroups } from "../prices/groups.ts";
import { missingMessage } from "../prices/missing-parts.ts";
import { presentParts } from "../prices/price-parts.ts";

/** A leg that can be converted, as it stands. */
type Valued = (leg: ConvertLeg) => { readonly figure: Exact; readonly atMs: number } | null;

/** The currency that a metal is converted into or from; the dollar between two metals. */
const currencyOf = (legs: readonly ConvertLeg[]): Currency => legs.find((leg) => leg.kind === "currency")?.code ?? "USD";

/**
 * What legs are worth: a metal with the rate beside its price, two currencies with the rates of the instant, which are not
 * delayed.
 */
const valuing = (market: MarketView, legs: readonly ConvertLeg[], atMs: number): Valued => {
  const metal = legs.find((leg) => leg.kind === "metal");
  return (leg) => {
    const currency = leg.kind === "metal" ? currencyOf(legs) : leg.code;
    if (leg.kind === "metal") {
      const { price } = market.standingOf({ instrument: `${leg.code}-USD-SPOT`, currency }, atMs);
      return price && { figure: price.price, atMs: price.computedAtMs };
    }
    const rate = metal
      ? market.standingOf({ instrument: `${metal.code}-USD-SPOT`, currency }, atMs).rate
      : market.fxRate(currency, atMs);
    return rate && { figure: rate, atMs: rate.observedAtMs };
  };
};

/**
 * Why a conversion is stale: a metal of it is, in its currency; or the rate of one of two currencies is not live. What converts
 * into itself is one, and never stale.
 */
const staleReasonOf = (market: MarketView, legs: readonly [ConvertLeg, ConvertLeg], atMs: number): StaleReason | undefined => {
  if (legs[0].code === legs[1].code) return undefined;
  const metals = legs.filter((leg) => leg.kind === "metal");
  if (metals.length === 0) return legs.some(({ code }) => isFallback(market.fxRate(code, atMs))) ? "fx_fallback" : undefined;
  for (const { code } of metals) {
    const { stale } = market.standingOf({ instrument: `${code}-USD-SPOT`, currency: currencyOf(legs) }, atMs);
    if (stale.isStale) return stale.reason;
  }
  return undefined;
};

/** What a conversion between a metal and a currency is made of; others have no one price. */
const partsOf = (market: MarketView, legs: readonly ConvertLeg[], atMs: number) => {
  const [metal, other] = legs.filter((leg) => leg.kind === "metal");
  if (!metal || other) return {};
  const { price, rate } = market.standingOf({ instrument: `${metal.code}-USD-SPOT`, currency: currencyOf(legs) }, atMs);
  return price && rate ? presentParts(price.price, rate) : {};
};

/** Which leg cannot be converted, and what can be. */
const unknownLeg = (from: string, to: string): string => {
  const [name, code] = readLeg(from) === null ? ["from", from] : ["to", to];
  return unsupportedCurrency(name, code, [...CONVERT_METALS, ...CURRENCIES]);
};

/** Converts an amount; a metal leg is priced as of the caller's instant, with the rate beside its price. */
export const getConvert =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["convert"]["get"], VerbContext> =>
  (input, { asOfMs, nowMs, isReceipt, fail }) => {
    if (/[a-z]/i.test(input.amount)) return fail("bad_request", { message: "amount must be finite and greater than 0." });
    const legs = [readLeg(input.from), readLeg(input.to)].filter((leg) => leg !== null);
    const atMs = legs.some((leg) => leg.kind === "metal") ? asOfMs : nowMs;
    const valued = valuing(market, legs, atMs);
    const result = convert(
      { from: input.from, to: input.to, amount: input.amount, unit: input.unit },
      (metal) => valued({ kind: "metal", code: metal })?.figure ?? null,
      (currency) => valued({ kind: "currency", code: currency })?.figure ?? null,
    );
    if (!result.ok) {
      if (result.reason === "bad_request") return fail("bad_request", { message: "amount must be finite and greater than 0." });
      if (result.reason === "unsupported_currency") return fail(result.reason, { message: unknownLeg(input.from, input.to) });
      if (result.reason === "spot_unavailable") return fail(result.reason, { message: missingMessage(result.missing) });
      return fail(result.reason);
    }
    const staleReason = staleReasonOf(market, [result.from, result.to], atMs);
    // Its metal's instant, the older of two metals', or for two currencies that of the `to` leg.
    const metals = legs.filter((leg) => leg.kind === "metal");
    const dated = metals.length > 0 ? metals : [result.to];
    return {
      from: result.from.code,
      to: result.to.code,
      amount: result.amount,
      rate: result.rate,
      result: result.result,
      unit: result.unit,
      timestamp: formatTimestamp(Math.min(...dated.map((leg) => valued(leg)?.atMs ?? atMs))),
      ...(staleReason && { stale_reason: staleReason }),
      ...(readGroups(input.include, { isKnown: true, isReceipt }).parts && partsOf(market, legs, atMs)),
    };
  };
