/**
 * Currency rates of the simulated market: a live table that fluctuates around current levels, and a daily reference derived from
 * it.
 */
import { catalogue, REFERENCE_BASE } from "@assay/catalogue";
import { CURRENCIES, DAY_MS, type DecimalText } from "@assay/contract";
import { dec, type FxObservation } from "@assay/pricing";
import { noiseKey, shareAt } from "../path/noise.ts";
import { type Anchors, openedPaths, openPath, type Path, valueAt } from "../path/path.ts";
import { DAY_SECONDS } from "../path/tree.ts";
import { LAST_SIMULATED_YEAR } from "../series/levels.ts";
import { toUnits, unitsText } from "./price.ts";

/** Annual volatility of a currency whose row does not say. */
const VOLATILITY = 0.06;

const shapeOf = (code: string): { readonly level: number; readonly volatility: number; readonly follows?: string } => {
  const { approximate_per_usd: level, simulated } = catalogue.currency(code);
  const { volatility, follows } = simulated ?? { volatility: VOLATILITY };
  return { level, volatility, ...(follows === undefined ? {} : { follows }) };
};

const FOLLOWED_SHARE = 0.6;

/** A currency returns to its level each new year, give or take a third of a deviation. */
const anchorsOf = (code: string, seed: number): Anchors => {
  const { level, volatility } = shapeOf(code);
  const key = noiseKey(seed, `${code} new year`);
  const days: number[] = [];
  const levels: number[] = [];
  for (let year = 1995; year <= LAST_SIMULATED_YEAR + 2; year++) {
    days.push(Date.UTC(year, 0, 1) / DAY_MS);
    levels.push(level * (1 + (volatility / 3) * (2 * shareAt(key, year) - 1)));
  }
  return { days, levels };
};

const opened = openedPaths();

const pathOf = (code: string, seed: number): Path =>
  opened(code, seed, () => {
    const { volatility, follows } = shapeOf(code);
    const leader = follows && { follows: { name: follows, share: FOLLOWED_SHARE } };
    return openPath({ name: code, yearlyVolatility: volatility, ...leader }, anchorsOf(code, seed), seed);
  });

/** Units of a currency per USD at a whole second, unrounded. */
const perDollar = (code: string, second: number, seed: number): number => {
  const { peg } = catalogue.currency(code);
  const { level, volatility } = shapeOf(code);
  if (volatility > 0) return valueAt(pathOf(code, seed), second);
  return peg ? perDollar(peg.to, second, seed) * Number(peg.units) : level;
};

const liveDecimals = (rate: number): number => (rate >= 1_000 ? 2 : rate >= 100 ? 3 : rate >= 10 ? 4 : 5);

const liveRate = (code: string, second: number, seed: number): DecimalText => {
  const { peg } = catalogue.currency(code);
  // The product with the anchor's published rate, so that the cross of the two gives the legal rate to the last digit.
  if (peg?.fixed)
    return dec(peg.units)
      .mul(peg.to === DOLLAR ? 1 : liveRate(peg.to, second, seed))
      .toFixed();
  const rate = perDollar(code, second, seed);
  return unitsText(toUnits(rate, liveDecimals(rate)), liveDecimals(rate));
};

const DOLLAR = "USD";
const QUOTED = CURRENCIES.filter((code) => code !== DOLLAR);

/** Dealer currencies that are not quote currencies; the live table includes their rates on request. */
export const SIMULATED_DEALER_CURRENCIES: readonly string[] = catalogue.rows.currencies
  .filter(({ quoted }) => !quoted)
  .map(({ code }) => code);

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
 * The live currency table of an instant: every quote currency per USD, updated every ten seconds.
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
    base: DOLLAR,
    rates: Object.fromEntries([...QUOTED, ...others].map((code) => [code, liveRate(code, second, seed)])),
    observedAtMs: second * 1_000,
    freshForMs: 60_000,
  };
};

export const SIMULATED_REFERENCE = "simulated-ecb";

/** Offsets from UTC midnight of a weekday: when the reference is read from the market, and when it is published. */
const FIXING_SECONDS = 13 * 3_600 + 15 * 60;
const PUBLISHED_SECONDS = 15 * 3_600;

/** What the reference table holds, beside its base. */
const EURO = REFERENCE_BASE.ecb;
const REFERENCED = catalogue.rows.currencies
  .filter(({ code, reference }) => reference === "ecb" && code !== EURO)
  .map(({ code }) => code);

const referenceDecimals = (rate: number): number => (rate >= 100 ? 2 : rate >= 10 ? 3 : rate >= 1 ? 4 : 5);

/** The newest Monday to Friday at or before a UTC day. */
const workingDay = (day: number): number => {
  const weekday = (day + 4) % 7; // 1970-01-01 was a Thursday; 0 is Sunday
  return weekday === 0 ? day - 2 : weekday === 6 ? day - 1 : day;
};

/**
 * The newest daily reference published by an instant, in the form of the European Central Bank: the published currencies per EUR,
 * read from the live market at 13:15 UTC and published at 15:00, Monday to Friday.
 * @param atMs epoch milliseconds
 * @param seed the market's seed
 * @throws RangeError outside 1995 to 2099
 */
export const simulatedFxReference = (atMs: number, seed: number): FxObservation => {
  const midnight = workingDay(Math.floor((Math.floor(atMs / 1_000) - PUBLISHED_SECONDS) / DAY_SECONDS)) * DAY_SECONDS;
  const euro = perDollar(EURO, midnight + FIXING_SECONDS, seed);
  const rate = (code: string): DecimalText => {
    const perEuro = (code === DOLLAR ? 1 : perDollar(code, midnight + FIXING_SECONDS, seed)) / euro;
    return unitsText(toUnits(perEuro, referenceDecimals(perEuro)), referenceDecimals(perEuro));
  };
  return {
    kind: "fx",
    source: SIMULATED_REFERENCE,
    role: "reference",
    base: EURO,
    rates: Object.fromEntries(REFERENCED.map((code) => [code, rate(code)])),
    observedAtMs: (midnight + PUBLISHED_SECONDS) * 1_000,
    freshForMs: 5 * DAY_SECONDS * 1_000,
  };
};
