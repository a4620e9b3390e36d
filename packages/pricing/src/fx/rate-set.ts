/**
 * The rates that stand beside prices, as plain data: one for each currency, as published. They are committed with the prices of
 * their moment, so that whatever is made of a price later has the same two figures.
 */
import { catalogue } from "@assay/catalogue";
import type { DecimalText } from "@assay/contract";
import { fraction, toDecimal } from "../number/exact.ts";
import { presentRate } from "../number/present.ts";
import type { FxObservation } from "../readings/observation.ts";
import { type FxRate, fxRate } from "./cross.ts";
import { publishedMs, REFERENCE_SERVES_MS } from "./published.ts";
import type { FxLeg, FxState } from "./tables.ts";

export interface RateOrigin extends Pick<FxRate, "source"> {
  readonly role: Exclude<FxRate["role"], "identity">;
  /** Their own instant; null for a peg to the dollar, which is of every instant. */
  readonly atMs: number | null;
  /** The last instant at which they are fresh; null for what never ages. */
  readonly freshUntilMs: number | null;
}

/** Rates per USD by currency, each with the place of its origin. */
export interface RateTable {
  readonly origins: readonly RateOrigin[];
  readonly rates: Readonly<Record<string, readonly [rate: DecimalText, origin: number]>>;
}

/** A table that stood beside prices. Numbers rise by one with each change, across restarts and writers. */
export interface RateSet extends RateTable {
  readonly id: number;
  readonly beganAtMs: number;
}

const CURRENCIES = catalogue.rows.currencies.map(({ code }) => code).filter((code) => code !== "USD");

/** A rate as it is published: what its digits say and nothing besides, so that whoever multiplies with it gets our prices. */
export const asPublished = <Rate extends FxRate | null>(rate: Rate): Rate => {
  if (rate === null || rate.role === "identity") return rate;
  const exact = fraction(presentRate(rate));
  return { ...rate, ...exact, rate: toDecimal(exact) };
};

const originIn = ({ source, role, observedAtMs, freshUntilMs }: FxRate): RateOrigin | null => {
  if (role === "identity") return null;
  const ages = Number.isFinite(freshUntilMs);
  return { source, role, atMs: role === "peg" ? null : observedAtMs, freshUntilMs: ages ? freshUntilMs : null };
};

/** The rates of every currency of the catalogue at a moment. */
export const rateTable = (fx: FxState, atMs: number): RateTable => {
  const origins: RateOrigin[] = [];
  const places = new Map<string, number>();
  const rates: Record<string, readonly [DecimalText, number]> = {};
  for (const currency of CURRENCIES) {
    const rate = fxRate(fx, currency, atMs);
    const origin = rate && originIn(rate);
    if (!rate || !origin) continue;
    const name = JSON.stringify(origin);
    const place = places.get(name) ?? origins.push(origin) - 1;
    places.set(name, place);
    rates[currency] = [presentRate(rate), place];
  }
  return { origins, rates };
};

/** Until when a table stays as it is while no rate arrives: up to the instant before one comes of age, or goes out of it. */
export const tableHoldsUntilMs = (fx: FxState, atMs: number): number => {
  const turns = (table: FxObservation): number[] => {
    const { observedAtMs, freshForMs } = table;
    return [publishedMs(table), observedAtMs, observedAtMs + freshForMs + 1, observedAtMs + REFERENCE_SERVES_MS + 1];
  };
  const next = [...fx.live, ...fx.reference].flatMap(turns).filter((turnMs) => turnMs > atMs);
  return Math.min(Number.POSITIVE_INFINITY, ...next) - 1;
};

const LEGS = new WeakMap<RateTable, Map<string, FxLeg>>();

const legIn = (table: RateTable, currency: string, text: DecimalText): FxLeg => {
  const legs = LEGS.get(table) ?? new Map<string, FxLeg>();
  if (legs.size === 0) LEGS.set(table, legs);
  const known = legs.get(currency);
  if (known) return known;
  const exact = fraction(text);
  const leg = { ...exact, rate: toDecimal(exact) };
  legs.set(currency, leg);
  return leg;
};

/**
 * A currency's rate in a table.
 * @param pricedAtMs when the price beside it was published
 * @param atMs the instant at which its freshness is judged
 * @returns null when the table lacks it
 */
export const rateIn = (table: RateTable, currency: string, pricedAtMs: number, atMs: number): FxRate | null => {
  if (currency === "USD") return fxRate({ live: [], reference: [] }, currency, pricedAtMs);
  const [text, place] = (Object.hasOwn(table.rates, currency) && table.rates[currency]) || [];
  const origin = place === undefined ? undefined : table.origins[place];
  if (text === undefined || origin === undefined) return null;
  const { source, role } = origin;
  const freshUntilMs = origin.freshUntilMs ?? Number.POSITIVE_INFINITY;
  return {
    ...legIn(table, currency, text),
    source,
    role,
    observedAtMs: origin.atMs ?? pricedAtMs,
    freshUntilMs,
    isStale: atMs > freshUntilMs,
  };
};
