/** Presents a composed price as a spot row: converted to its currency, rounded once, with the requested groups. */
import { catalogue } from "@assay/catalogue";
import { formatTimestamp, GRAM_FIELDS, KARATS, type Source, type SpotRow, type TierReach } from "@assay/contract";
import { type FxRate, karatPrices, metalUnit, type PriceSymbol, presentCrossed, utcDay } from "@assay/pricing";
import type { MarketView } from "../market/market-view.ts";
import { crossDayStats, dayStats } from "./day-stats.ts";
import type { Groups } from "./groups.ts";
import { presentSources } from "./present-source.ts";
import { presentParts } from "./price-parts.ts";

/** Divergence at which a row is flagged, in bps. */
export const DIVERGENCE_FLAG_BPS = 50;

/** A presented row, and until when it stays valid. */
export interface PresentedRow {
  readonly row: SpotRow;
  readonly validUntilMs: number;
}

/** It is used, and sets no price of the metal. */
const OF_RATE = { informational: false, role: "reference", verdict: "believed" } as const;

/** The rate a row was converted with, when it is not a fresh live one: its source and its day. */
const presentRate = ({ source, role, observedAtMs, isStale }: FxRate): Source[] => {
  if (role === "reference") {
    return [{ source, display_name: `Daily reference rate of ${utcDay(observedAtMs)}`, is_stale: isStale, ...OF_RATE }];
  }
  if (role !== "live" || !isStale) return [];
  const name = `Last live rate, of ${formatTimestamp(observedAtMs)}`;
  return [{ source, display_name: name, is_stale: true, ...OF_RATE }];
};

/**
 * Presents a symbol as of an instant.
 * @param reach what the caller may see
 */
export const presentRow = (
  market: MarketView,
  symbol: PriceSymbol,
  groups: Groups,
  reach: TierReach,
  asOfMs: number,
): PresentedRow => {
  const head = {
    symbol: symbol.metal,
    quote_currency: symbol.currency,
    unit: metalUnit(symbol.metal),
    contract_type: symbol.contractType,
  };
  const { price, rate, stale } = market.standingOf(symbol, asOfMs);
  const verdict = stale.isStale ? { is_stale: true, stale_reason: stale.reason } : { is_stale: false };
  if (!price || !rate) {
    const row: SpotRow = { ...head, ...verdict };
    // Sources quote in USD; without a rate none can be shown.
    if (groups.sources) row.sources = [];
    if (groups.stats) row.divergence_flag = false;
    return { row, validUntilMs: Number.POSITIVE_INFINITY };
  }
  const row: SpotRow = {
    ...head,
    ...verdict,
    price: presentCrossed(price.price, rate),
    ...(price.bid === undefined ? {} : { bid: presentCrossed(price.bid, rate) }),
    ...(price.ask === undefined ? {} : { ask: presentCrossed(price.ask, rate) }),
    computed_at: formatTimestamp(price.computedAtMs),
  };
  if (groups.parts) Object.assign(row, presentParts(price.price, rate));
  if (groups.sources) {
    row.sources = [...presentSources(price, symbol, rate, reach, asOfMs), ...presentRate(rate)];
  }
  if (groups.karat && catalogue.metal(symbol.metal).karats) {
    const grams = karatPrices(price.price, rate);
    KARATS.forEach((karat, index) => {
      const field = GRAM_FIELDS[index];
      if (field) row[field] = grams[karat];
    });
  }
  if (groups.stats) {
    row.divergence_flag = price.divergenceBps !== null && price.divergenceBps >= DIVERGENCE_FLAG_BPS;
    if (price.divergenceBps !== null) row.divergence_bps = price.divergenceBps;
    if (price.basis === "council") row.value_stale = true;
    const live = reach.delayMs === 0;
    const day =
      symbol.currency === "USD"
        ? dayStats(market, symbol, price, asOfMs, live)
        : crossDayStats(market, symbol, { price, rate }, { asOfMs, live });
    Object.assign(row, day);
  }
  const turns = [price.freshUntilMs, rate.freshUntilMs].filter((freshUntilMs) => asOfMs <= freshUntilMs);
  return { row, validUntilMs: Math.min(Number.POSITIVE_INFINITY, ...turns) + 1 };
};
