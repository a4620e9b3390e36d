/** GET /v1/convert: metals and currencies, in all four directions. */
import { type AssayContract, CONVERT_METALS, CURRENCIES, formatTimestamp, unsupportedCurrency, type Verb } from "@assay/contract";
import { type ConvertLeg, convert, isFallback, readLeg, type StaleReason } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { missingMessage } from "../prices/missing-parts.ts";

/** The instant of a leg's value; null when it has none. */
const momentOf = (market: MarketView, leg: ConvertLeg, atMs: number): number | null =>
  leg.kind === "metal"
    ? (market.priceAt(`${leg.code}-USD-SPOT`, atMs)?.computedAtMs ?? null)
    : (market.fxRate(leg.code, atMs)?.observedAtMs ?? null);

/** The instant of a conversion: its metal's, the older of two metals, or for two currencies the `to` leg's. */
const dateOf = (market: MarketView, from: ConvertLeg, to: ConvertLeg, atMs: number): number => {
  const metals = [from, to].filter((leg) => leg.kind === "metal");
  const dated = metals.length > 0 ? metals : [to];
  return Math.min(...dated.map((leg) => momentOf(market, leg, atMs) ?? atMs));
};

/**
 * Why a conversion is stale: a metal of it is, in its currency; or the rate of one of two currencies is not live. What converts
 * into itself is one, and never stale.
 */
const staleReasonOf = (market: MarketView, from: ConvertLeg, to: ConvertLeg, atMs: number): StaleReason | undefined => {
  if (from.code === to.code) return undefined;
  const currencies = [from, to].flatMap((leg) => (leg.kind === "currency" ? [leg.code] : []));
  if (currencies.length === 2) {
    return currencies.some((code) => isFallback(market.fxRate(code, atMs))) ? "fx_fallback" : undefined;
  }
  const [currency = "USD"] = currencies;
  for (const leg of [from, to]) {
    if (leg.kind !== "metal") continue;
    const { stale } = market.standingOf({ instrument: `${leg.code}-USD-SPOT`, currency }, atMs);
    if (stale.isStale) return stale.reason;
  }
  return undefined;
};

/** Which leg cannot be converted, and what can be. */
const unknownLeg = (from: string, to: string): string => {
  const [name, code] = readLeg(from) === null ? ["from", from] : ["to", to];
  return unsupportedCurrency(name, code, [...CONVERT_METALS, ...CURRENCIES]);
};

/** Converts an amount; a metal leg is priced as of the caller's instant, with the rate of that instant. */
export const getConvert =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["convert"]["get"], VerbContext> =>
  (input, { asOfMs, nowMs, fail }) => {
    if (/[a-z]/i.test(input.amount)) return fail("bad_request", { message: "amount must be finite and greater than 0." });
    const hasMetal = [input.from, input.to].some((code) => readLeg(code)?.kind === "metal");
    const atMs = hasMetal ? asOfMs : nowMs;
    const result = convert(
      { from: input.from, to: input.to, amount: input.amount, unit: input.unit },
      (metal) => market.priceAt(`${metal}-USD-SPOT`, atMs)?.price ?? null,
      (currency) => market.fxRate(currency, atMs),
    );
    if (!result.ok) {
      if (result.reason === "bad_request") return fail("bad_request", { message: "amount must be finite and greater than 0." });
      if (result.reason === "unsupported_currency") return fail(result.reason, { message: unknownLeg(input.from, input.to) });
      if (result.reason === "spot_unavailable") return fail(result.reason, { message: missingMessage(result.missing) });
      return fail(result.reason);
    }
    const staleReason = staleReasonOf(market, result.from, result.to, atMs);
    return {
      from: result.from.code,
      to: result.to.code,
      amount: result.amount,
      rate: result.rate,
      result: result.result,
      unit: result.unit,
      timestamp: formatTimestamp(new Date(dateOf(market, result.from, result.to, atMs))),
      ...(staleReason && { stale_reason: staleReason }),
    };
  };
