/** One row of prices: now, or as it stood at a past instant. */
import { catalogue } from "@assay/catalogue";
import {
  type AssayContract,
  DAY_MS,
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
import {
  type DatedRate,
  karatPrices,
  metalUnit,
  type PriceSymbol,
  presentCrossed,
  presentRate,
  REFERENCE_SERVES_MS,
  readPriceSymbol,
  staleness,
  utcDay,
} from "@assay/pricing";
import { depthFloor, isAnonymous, requireSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { dayOf, instantFault, readInstant, refuseParameter } from "../input.ts";
import type { MarketView } from "../market/market-view.ts";
import type { PastPrice } from "../market/past-price.ts";
import { readGroups } from "../prices/groups.ts";
import type { RowCache } from "../prices/row-cache.ts";

/** Older than any stored price; calendars of trading hours do not reach much further. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const TOO_EARLY = "No price is known that early.";

/** What is asked. */
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
    return fail("range_too_deep", { message: `at is too early: your tier's daily bars begin on ${dayOf(floorMs)}.` });
  return { atMs: Math.min(wantedMs, asOfMs), isDay };
};

const isInterval = (basis: PastPrice["basis"]): boolean => basis !== "tick" && basis !== "settlement";

/**
 * Whether the price was outside its window then. A bar's close has none while the market trades: `basis` says how wide the bar is.
 * It is silent once it is as old as a rate may be.
 */
const verdictOf = (
  market: MarketView,
  { price, basis }: PastPrice,
  atMs: number,
): Pick<SpotAnswer, "is_stale" | "stale_reason"> => {
  const wasOpen = market.wasOpen(atMs);
  if (isInterval(basis) && wasOpen && atMs - price.computedAtMs <= REFERENCE_SERVES_MS) return { is_stale: false };
  const stale = staleness(price, { role: "peg", isStale: false }, atMs, wasOpen);
  return stale.isStale ? { is_stale: true, stale_reason: stale.reason } : { is_stale: false };
};

const pricedRow = (
  market: MarketView,
  { symbol, atMs, karat }: { readonly symbol: PriceSymbol; readonly atMs: number; readonly karat: boolean },
  { price: past, rate }: { readonly price: PastPrice; readonly rate: DatedRate },
): Omit<SpotAnswer, "symbol" | "quote_currency" | "unit" | "contract_type"> => {
  const { price, basis } = past;
  const row: Omit<SpotAnswer, "symbol" | "quote_currency" | "unit" | "contract_type"> = {
    ...verdictOf(market, past, atMs),
    price: presentCrossed(price.price, rate),
    ...(price.bid === undefined ? {} : { bid: presentCrossed(price.bid, rate) }),
    ...(price.ask === undefined ? {} : { ask: presentCrossed(price.ask, rate) }),
    computed_at: formatTimestamp(new Date(price.computedAtMs)),
  };
  if (karat && catalogue.metal(symbol.metal).karats) {
    const grams = karatPrices(price.price, rate);
    KARATS.forEach((each, index) => {
      const field = GRAM_FIELDS[index];
      if (field) row[field] = grams[each];
    });
  }
  row.as_of = formatTimestamp(new Date(atMs));
  row.basis = basis;
  if (symbol.currency !== "USD") {
    row.fx_rate = presentRate(rate);
    row.fx_date = rate.day;
  }
  return row;
};

/** `GET /v1/spot/{symbol}?at=`: answers the row of a past instant. */
const pastSpot = async (market: MarketView, { symbol, at, include }: PastSpot, context: Context): Promise<SpotAnswer> => {
  const { caller, nowMs, fail } = context;
  const groups = readGroups(include, true);
  if (groups.sources || groups.stats) refuseParameter(fail, "include", "must not name sources or stats together with at");
  const { atMs, isDay } = instantOf(at, context);
  const hasMinutes = caller.reach.intraday && atMs >= depthFloor(caller, "1m", nowMs);
  const reach = isDay ? "day" : hasMinutes ? "intraday" : "daily";
  if (atMs < EARLIEST_MS) return fail("not_found", { message: TOO_EARLY });
  const price = await market.pastPrice({ instrument: symbol.instrument, atMs, reach });
  if (!price) return fail("not_found", { message: TOO_EARLY });
  const rate = await market.crosses.rateOn(symbol.currency, utcDay(Math.floor((atMs - 1) / DAY_MS) * DAY_MS));
  const head = {
    symbol: symbol.metal,
    quote_currency: symbol.currency,
    unit: metalUnit(symbol.metal),
    contract_type: symbol.contractType,
  };
  if (!rate) return { ...head, is_stale: true, stale_reason: "fx_fallback", as_of: formatTimestamp(new Date(atMs)) };
  return { ...head, ...pricedRow(market, { symbol, atMs, karat: groups.karat }, { price, rate }) };
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
    const { caller, asOfMs, fail } = context;
    const reading = readPriceSymbol(symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol, hint: symbolHint(symbol) });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown")
      return fail("not_found", { message: `There is no such symbol. ${SYMBOL_HINT} GET /v1/metadata/catalog lists them.` });
    if (at !== undefined) return pastSpot(market, { symbol: reading.entry, at, include }, context);
    return new Encoded(rows.json(reading.entry, readGroups(include, !isAnonymous(caller)), caller, asOfMs));
  };
