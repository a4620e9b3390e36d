/**
 * Currency rates of the simulated market: a live table that fluctuates around current levels, and a daily reference derived from
 * it.
 */
import { CURRENCIES, type DecimalText } from "@assay/contract";
import type { FxObservation } from "@assay/pricing";
import { valueAt } from "../path/frame.ts";
import { noiseKey, shareAt } from "../path/noise.ts";
import { type Anchors, openPath, type Path } from "../path/path.ts";
import { DAY_SECONDS } from "../path/tree.ts";
import { LAST_SIMULATED_YEAR } from "../series/levels.ts";
import { toUnits, unitsText } from "./digits.ts";

/** How one currency moves against the dollar. */
interface CurrencyShape {
  /** Units per USD late in 2026. */
  readonly level: number;
  /** Annual volatility; 0 for a peg. */
  readonly volatility: number;
  /** The currency it partly follows. */
  readonly follows?: string;
}

const CURRENCIES_BY_CODE: Readonly<Record<string, CurrencyShape>> = {
  EUR: { level: 0.86, volatility: 0.07 },
  AUD: { level: 1.52, volatility: 0.1 },
  BRL: { level: 5.4, volatility: 0.14 },
  CAD: { level: 1.39, volatility: 0.065, follows: "AUD" },
  CHF: { level: 0.8, volatility: 0.075, follows: "EUR" },
  CNY: { level: 7.05, volatility: 0.03 },
  CZK: { level: 20.9, volatility: 0.085, follows: "EUR" },
  GBP: { level: 0.755, volatility: 0.08, follows: "EUR" },
  HKD: { level: 7.79, volatility: 0.004 },
  HUF: { level: 331, volatility: 0.1, follows: "EUR" },
  IDR: { level: 16_650, volatility: 0.06 },
  ILS: { level: 3.2, volatility: 0.09 },
  INR: { level: 90.2, volatility: 0.04 },
  ISK: { level: 124, volatility: 0.075, follows: "EUR" },
  JPY: { level: 155, volatility: 0.1 },
  KRW: { level: 1_450, volatility: 0.09 },
  MXN: { level: 18.1, volatility: 0.12 },
  MYR: { level: 4.08, volatility: 0.05 },
  NOK: { level: 10.05, volatility: 0.1, follows: "EUR" },
  NZD: { level: 1.74, volatility: 0.1, follows: "AUD" },
  PHP: { level: 58.6, volatility: 0.05 },
  PLN: { level: 3.65, volatility: 0.09, follows: "EUR" },
  RON: { level: 4.37, volatility: 0.07, follows: "EUR" },
  SEK: { level: 9.45, volatility: 0.095, follows: "EUR" },
  SGD: { level: 1.295, volatility: 0.045 },
  THB: { level: 32.3, volatility: 0.065 },
  TRY: { level: 45, volatility: 0.09 },
  ZAR: { level: 17.1, volatility: 0.13, follows: "AUD" },
  AED: { level: 3.6725, volatility: 0 },
  EGP: { level: 47.6, volatility: 0.06 },
  NPR: { level: 144.3, volatility: 0.04 },
  PKR: { level: 281, volatility: 0.03 },
  SAR: { level: 3.75, volatility: 0 },
  VND: { level: 26_350, volatility: 0.02 },
};

/** The correlation with the followed currency. */
const FOLLOWED_SHARE = 0.6;

/** Units per euro: the lev fixed by law, the krone close to its central rate. */
const LEV_PER_EURO = 195_583;
const KRONE_PER_EURO = 7.4604;

/** A currency returns to its level each new year, give or take a third of a deviation. */
const anchorsOf = (code: string, shape: CurrencyShape, seed: number): Anchors => {
  const key = noiseKey(seed, `${code} new year`);
  const days: number[] = [];
  const levels: number[] = [];
  for (let year = 1995; year <= LAST_SIMULATED_YEAR + 2; year++) {
    days.push(Date.UTC(year, 0, 1) / 86_400_000);
    levels.push(shape.level * (1 + (shape.volatility / 3) * (2 * shareAt(key, year) - 1)));
  }
  return { days, levels };
};

const opened = new Map<string, { readonly seed: number; readonly path: Path }>();

const pathOf = (code: string, shape: CurrencyShape, seed: number): Path => {
  const known = opened.get(code);
  if (known?.seed === seed) return known.path;
  const follows = shape.follows && { follows: { name: shape.follows, share: FOLLOWED_SHARE } };
  const path = openPath({ name: code, yearlyVolatility: shape.volatility, ...follows }, anchorsOf(code, shape, seed), seed);
  opened.set(code, { seed, path });
  return path;
};

/** Units of a currency per USD at a whole second, unrounded. */
const perDollar = (code: string, second: number, seed: number): number => {
  if (code === "DKK") return perDollar("EUR", second, seed) * KRONE_PER_EURO;
  const shape = CURRENCIES_BY_CODE[code];
  if (!shape) throw new RangeError(`the simulated market has no currency ${code}`);
  return shape.volatility === 0 ? shape.level : valueAt(pathOf(code, shape, seed), second);
};

const liveDecimals = (rate: number): number => (rate >= 1_000 ? 2 : rate >= 100 ? 3 : rate >= 10 ? 4 : 5);

const liveRate = (code: string, second: number, seed: number): DecimalText => {
  // the product with the published euro rate, so that the cross of the two gives the legal rate to the last digit
  if (code === "BGN") return unitsText(toUnits(perDollar("EUR", second, seed), 5) * LEV_PER_EURO, 10);
  const rate = perDollar(code, second, seed);
  return unitsText(toUnits(rate, liveDecimals(rate)), liveDecimals(rate));
};

const QUOTED = CURRENCIES.filter((code) => code !== "USD");

/** Dealer currencies that are not quote currencies; the live table includes their rates on request. */
export const SIMULATED_DEALER_CURRENCIES = ["AED", "EGP", "NPR", "PKR", "SAR", "VND"] as const;

const LIVE_SECONDS = 10;

/**
 * One currency of the live table at an instant, without computing the rest.
 * @param code a currency of the table, or one of `SIMULATED_DEALER_CURRENCIES`
 * @param atMs epoch milliseconds
 * @param seed the market's seed
 * @returns units per USD
 * @throws RangeError outside 1995 to 2099, or for an unknown currency
 */
export const simulatedRate = (code: string, atMs: number, seed: number): DecimalText =>
  liveRate(code, Math.floor(atMs / 1_000 / LIVE_SECONDS) * LIVE_SECONDS, seed);

/**
 * The live currency table of an instant: 30 currencies per USD, updated every ten seconds.
 * @param atMs epoch milliseconds
 * @param seed the market's seed
 * @param others additional currencies from `SIMULATED_DEALER_CURRENCIES`
 * @throws RangeError outside 1995 to 2099, or for an unknown currency
 */
export const simulatedFx = (atMs: number, seed: number, others: readonly string[] = []): FxObservation => {
  const second = Math.floor(atMs / 1_000 / LIVE_SECONDS) * LIVE_SECONDS;
  return {
    kind: "fx",
    source: "simulated-fx",
    role: "live",
    base: "USD",
    rates: Object.fromEntries([...QUOTED, ...others].map((code) => [code, liveRate(code, second, seed)])),
    observedAtMs: second * 1_000,
    freshForMs: 60_000,
  };
};

/** Offsets from UTC midnight of a weekday: when the reference is read from the market, and when it is published. */
const FIXING_SECONDS = 13 * 3_600 + 15 * 60;
const PUBLISHED_SECONDS = 15 * 3_600;

/** When the European Central Bank stopped publishing the lev. */
const REFERENCED = CURRENCIES.filter((code) => code !== "EUR" && code !== "BGN");

const referenceDecimals = (rate: number): number => (rate >= 100 ? 2 : rate >= 10 ? 3 : rate >= 1 ? 4 : 5);

/** The newest Monday to Friday at or before a UTC day. */
const workingDay = (day: number): number => {
  const weekday = (day + 4) % 7; // 1970-01-01 was a Thursday; 0 is Sunday
  return weekday === 0 ? day - 2 : weekday === 6 ? day - 1 : day;
};

/**
 * The newest daily reference published by an instant, in the form of the European Central Bank: 29 currencies per EUR, read from
 * the live market at 13:15 UTC and published at 15:00, Monday to Friday.
 * @param atMs epoch milliseconds
 * @param seed the market's seed
 * @throws RangeError outside 1995 to 2099
 */
export const simulatedFxReference = (atMs: number, seed: number): FxObservation => {
  const midnight = workingDay(Math.floor((Math.floor(atMs / 1_000) - PUBLISHED_SECONDS) / DAY_SECONDS)) * DAY_SECONDS;
  const euro = perDollar("EUR", midnight + FIXING_SECONDS, seed);
  const rate = (code: string): DecimalText => {
    const perEuro = (code === "USD" ? 1 : perDollar(code, midnight + FIXING_SECONDS, seed)) / euro;
    return unitsText(toUnits(perEuro, referenceDecimals(perEuro)), referenceDecimals(perEuro));
  };
  return {
    kind: "fx",
    source: "simulated-ecb",
    role: "reference",
    base: "EUR",
    rates: Object.fromEntries(REFERENCED.map((code) => [code, rate(code)])),
    observedAtMs: (midnight + PUBLISHED_SECONDS) * 1_000,
    freshForMs: 5 * DAY_SECONDS * 1_000,
  };
};
