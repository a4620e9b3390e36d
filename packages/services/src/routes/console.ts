/** GET /console/market.json: what the market looks like without a key, the same bytes for everyone within ten seconds. */
import { type AssayPages, BAR_SYMBOLS, type Bar, formatTimestamp, MINUTE_MS, type OutputOf, type Verb } from "@assay/contract";
import { metalUnit, PRICE_SYMBOLS, type PriceSymbol, weightPrice } from "@assay/pricing";
import { allowsSymbol, asOf, barsAsOf, depthFloor } from "../access/gate.ts";
import { after } from "../call.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { marketMode } from "../market/writer-report.ts";
import { crossDayStats, dayStats } from "../prices/day-stats.ts";
import { presentRow } from "../prices/present-row.ts";
import { Editions, SharedAnswer } from "../shared-answers.ts";

type Route = AssayPages["console"]["frontDocument"];
type FrontDocument = OutputOf<Route>;

/** How long an edition lasts. */
const EDITION_MS = 10_000;

/** More than the days of any depth but the whole history. */
const MAX_BARS = 400;

const rowOf = (market: MarketView, symbol: PriceSymbol, { reach }: Caller, asOfMs: number): FrontDocument["symbols"][number] => {
  const groups = { sources: symbol.currency === "USD", parts: false, karat: true, stats: false };
  const { row } = presentRow(market, symbol, groups, reach, asOfMs);
  const { price, rate } = market.standingOf(symbol, asOfMs);
  if (!price || !rate) return row;
  const priceOf = (weight: "kg" | "tola") => weightPrice(price.price, rate, metalUnit(symbol.metal), weight);
  return { ...row, price_kilogram: priceOf("kg"), price_tola: priceOf("tola") };
};

/** The day as the daily bars show it: they need no key, and the `stats` of a row, which do, are the same figures. */
const dayOf = (market: MarketView, symbol: PriceSymbol, asOfMs: number): FrontDocument["days"] => {
  const { price, rate } = market.standingOf(symbol, asOfMs);
  if (!price || !rate) return [];
  const { open_time: _, ...day } =
    symbol.currency === "USD"
      ? dayStats(market, symbol, price, asOfMs, false)
      : crossDayStats(market, symbol, { price, rate }, { asOfMs, live: false });
  // Of a cross nothing is known before a first day has begun.
  const isKnown = symbol.currency === "USD" || Object.keys(day).length > 0;
  return isKnown ? [{ symbol: symbol.symbol, ...day }] : [];
};

const barsOf = async (market: MarketView, caller: Caller, nowMs: number): Promise<FrontDocument["bars"]> => {
  const asOfMs = asOf(caller, nowMs);
  const open = BAR_SYMBOLS.filter((symbol) => symbol === "XAU-USD-SPOT" || caller.reach.allBarSymbols);
  return Promise.all(
    open.map(async (symbol) => {
      const fromMs = depthFloor(caller, "1d", nowMs);
      const query = { symbol, interval: "1d", fromMs, toMs: nowMs, limit: MAX_BARS, asOfMs: barsAsOf(caller, asOfMs) } as const;
      const page = await market.bars.page(query);
      const text = [page.forming ?? "", Buffer.from(page.closed).toString("latin1")].filter((part) => part !== "").join(",");
      // We encoded it ourselves: the arena holds bars of the contract's shape.
      return { symbol, interval: "1d" as const, complete: page.isComplete, bars: JSON.parse(`[${text}]`) as Bar[] };
    }),
  );
};

/** Serves the edition of ten seconds; the first request makes it, as of the instant that callers without a key see. */
export const frontDocument = (
  deps: Pick<ServiceDeps, "market" | "live" | "catalog" | "log" | "disabled">,
): Verb<Route, VerbContext> => {
  const { market, catalog, disabled } = deps;
  const modeNow = marketMode(deps.live);
  const hasBars = !disabled.has("bars");

  const make = async (caller: Caller, startMs: number): Promise<FrontDocument> => {
    const asOfMs = asOf(caller, startMs);
    const allowed = PRICE_SYMBOLS.filter((symbol) => allowsSymbol(catalog, caller.tier, symbol));
    const nextChangeMs = market.nextChangeMs(startMs);
    return {
      as_of: formatTimestamp(asOfMs),
      tier: caller.tier,
      delay_minutes: caller.reach.delayMs / MINUTE_MS,
      mode: await modeNow(),
      market: {
        state: market.isOpen(startMs) ? "open" : "closed",
        next_change_at: nextChangeMs === null ? null : formatTimestamp(nextChangeMs),
      },
      symbols: allowed.map((symbol) => rowOf(market, symbol, caller, asOfMs)),
      days: hasBars ? allowed.flatMap((symbol) => dayOf(market, symbol, asOfMs)) : [],
      bars: hasBars ? await barsOf(market, caller, startMs) : [],
    };
  };

  let editions: Editions | undefined;
  return (_input, { caller, nowMs, requestId }) => {
    // The route takes no key, so all its callers see the same.
    editions ??= new Editions({
      lengthMs: EDITION_MS,
      make: (startMs) => make(caller, startMs),
      onFailure: (error, id) => deps.log.error({ err: error, requestId: id }, "failed to make the front document"),
    });
    // While the database does not respond the edition before is served, which caches are not to keep.
    return after(
      editions.at(nowMs, requestId),
      ({ representations, endMs }) => new SharedAnswer<FrontDocument>(representations, nowMs < endMs ? undefined : "no-store"),
    );
  };
};
