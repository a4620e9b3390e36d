/** One row of prices: now, or as it stood at a past instant. */
import { catalogue } from "@assay/catalogue";
import {
  type AssayContract,
  Encoded,
  type FailWith,
  formatTimestamp,
  GRAM_FIELDS,
  KARATS,
  type SpotAnswer,
  SYMBOL_HINT,
  symbolHint,
  type Verb,
} from "@assay/contract";
import { type FxRate, karatPrices, metalUnit, type PriceSymbol, presentCrossed, readPriceSymbol, utcDay } from "@assay/pricing";
import { depthFloor, isAnonymous, requireSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { instantFault, readInstant, refuseParameter } from "../input.ts";
import type { MarketView, PastStanding } from "../market/market-view.ts";
import { type Groups, readGroups } from "../prices/groups.ts";
import { presentParts } from "../prices/price-parts.ts";
import type { RowCache } from "../prices/row-cache.ts";

/** Older than any stored price; calendars of trading hours do not reach much further. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const TOO_EARLY = "No price is known that early.";

interface PastSpot {
  readonly symbol: PriceSymbol;
  readonly at: string;
  readonly include: string | undefined;
}

type Context = VerbContext & { readonly fail: FailWith<"validation_error" | "range_too_deep" | "not_found"> };

/** The instant asked for, as the caller may see it, and whether it is a day: then its end, when its daily bar closes. */
const instantOf = (at: string, { caller, asOfMs, nowMs, fail }: Context): { readonly atMs: number; readonly isDay: boolean } => {
  const { startMs, endMs } = readInstant(at) ?? refuseParameter(fail, "at", instantFault(at));
  const isDay = endMs > startMs;
  const wantedMs = isDay ? endMs + 1 : endMs;
  if (wantedMs > nowMs)
    return refuseParameter(
      fail,
      "at",
      startMs > nowMs ? "must not be in the future" : "must be a day that is over, or an instant",
    );
  const floorMs = depthFloor(caller, "1d", nowMs);
  // The instant at which a day begins belongs to the day before, as that one's close.
  if (wantedMs <= floorMs)
    return fail("range_too_deep", { message: `at is too early: your tier's daily bars begin on ${utcDay(floorMs)}.` });
  return { atMs: Math.min(wantedMs, asOfMs), isDay };
};

type Priced = Omit<SpotAnswer, "symbol" | "quote_currency" | "unit" | "contract_type">;

const pricedRow = (
  symbol: PriceSymbol,
  { price, basis, stale }: PastStanding,
  rate: FxRate,
  { atMs, groups }: { readonly atMs: number; readonly groups: Groups },
): Priced => {
  const row: Priced = {
    ...(stale.isStale ? { is_stale: true, stale_reason: stale.reason } : { is_stale: false }),
    price: presentCrossed(price.price, rate),
    ...(price.bid === undefined ? {} : { bid: presentCrossed(price.bid, rate) }),
    ...(price.ask === undefined ? {} : { ask: presentCrossed(price.ask, rate) }),
    computed_at: formatTimestamp(price.computedAtMs),
  };
  if (groups.karat && catalogue.metal(symbol.metal).karats) {
    const grams = karatPrices(price.price, rate);
    KARATS.forEach((each, index) => {
      const field = GRAM_FIELDS[index];
      if (field) row[field] = grams[each];
    });
  }
  row.as_of = formatTimestamp(atMs);
  row.basis = basis;
  if (groups.parts || symbol.currency !== "USD") Object.assign(row, presentParts(price.price, rate));
  if (symbol.currency !== "USD") row.fx_date = utcDay(rate.observedAtMs);
  return row;
};

/** `GET /v1/spot/{symbol}?at=`: answers the row of a past instant. */
const pastSpot = async (market: MarketView, { symbol, at, include }: PastSpot, context: Context): Promise<SpotAnswer> => {
  const { caller, nowMs, isReceipt, fail } = context;
  const groups = readGroups(include, { isKnown: true, isReceipt });
  if (groups.sources || groups.stats) refuseParameter(fail, "include", "must not name sources or stats together with at");
  const { atMs, isDay } = instantOf(at, context);
  const hasMinutes = caller.reach.intraday && atMs >= depthFloor(caller, "1m", nowMs);
  const reach = isDay ? "day" : hasMinutes ? "intraday" : "daily";
  if (atMs < EARLIEST_MS) return fail("not_found", { message: TOO_EARLY });
  const standing = await market.pastStandingOf(symbol, { atMs, reach });
  if (!standing) return fail("not_found", { message: TOO_EARLY });
  const head = {
    symbol: symbol.metal,
    quote_currency: symbol.currency,
    unit: metalUnit(symbol.metal),
    contract_type: symbol.contractType,
  };
  const { rate } = standing;
  if (!rate) return { ...head, is_stale: true, stale_reason: "fx_fallback", as_of: formatTimestamp(atMs) };
  return { ...head, ...pricedRow(symbol, standing, rate, { atMs, groups }) };
};

/**
 * `GET /v1/spot/{symbol}`: answers one spot row: of now, encoded once for all callers with the same view, or of a past instant.
 */
export const getSpot =
  (
    { catalog, market }: Pick<ServiceDeps, "catalog" | "market">,
    rows: RowCache,
  ): Verb<AssayContract["spot"]["get"], VerbContext> =>
  ({ symbol, include, at }, context) => {
    const { caller, asOfMs, isReceipt, fail } = context;
    const reading = readPriceSymbol(symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol, hint: symbolHint(symbol) });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown")
      return fail("not_found", { message: `There is no such symbol. ${SYMBOL_HINT} GET /v1/metadata/catalog lists them.` });
    if (at !== undefined) return pastSpot(market, { symbol: reading.entry, at, include }, context);
    const groups = readGroups(include, { isKnown: !isAnonymous(caller), isReceipt });
    return new Encoded(rows.json(reading.entry, groups, caller, asOfMs));
  };
