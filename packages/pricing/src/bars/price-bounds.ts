/** The price range of each series by period: a plausibility check for imported bars. */
import type { DecimalText } from "@assay/contract";
import type { DailySymbol } from "../market/symbols.ts";
import { SANE_BOUNDS } from "../spot/validate.ts";

/** Bounds, and the period they apply to. */
export interface PriceBounds {
  /** USD per the series' unit, inclusive. */
  readonly low: DecimalText;
  readonly high: DecimalText;
  /** Epoch milliseconds; until is exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** From the start of a year to that of the next period. */
type Age = readonly [year: number, low: DecimalText, high: DecimalText];

/**
 * About half of the lowest and twice the highest price of each period: wide enough for every actual day, too narrow for another
 * metal's prices (except platinum's and gold's, which have crossed) and for prices in cents.
 */
const GOLD: readonly Age[] = [
  [1700, "10", "100"],
  [1968, "20", "400"],
  [1976, "60", "1700"],
  [1982, "150", "1000"],
  [1996, "150", "1000"],
  [2006, "300", "3800"],
  [2016, "600", "4200"],
  [2024, "1000", "12000"],
  [2026, "1000", SANE_BOUNDS["XAU-USD-SPOT"].high],
];

const SILVER: readonly Age[] = [
  [1700, "0.2", "5"],
  [1967, "0.6", "8"],
  [1973, "1.5", "100"],
  [1983, "2", "25"],
  [1990, "2", "15"],
  [2004, "3", "45"],
  [2010, "6", "100"],
  [2025, "10", "250"],
  [2026, "10", SANE_BOUNDS["XAG-USD-SPOT"].high],
];

const COPPER: readonly Age[] = [
  [1700, "0.03", "1"],
  [1960, "0.15", "3"],
  [1995, "0.3", "3"],
  [2004, "0.5", "9"],
  [2024, "1.5", "14"],
  [2026, "1.5", SANE_BOUNDS["HG-USD-SPOT"].high],
];

const PLATINUM: readonly Age[] = [
  [1700, "2", "600"],
  [1973, "60", "2200"],
  [1996, "150", "1800"],
  [2006, "300", "4600"],
  [2026, "400", "50000"],
];

const PALLADIUM: readonly Age[] = [
  [1700, "10", "700"],
  [1996, "50", "2300"],
  [2016, "200", "7000"],
  [2026, "200", "50000"],
];

/** About a tenth of gold's, since the fund's launch. */
const GLD: readonly Age[] = [
  [1700, "15", "380"],
  [2016, "50", "420"],
  [2024, "80", "1200"],
  [2026, "80", SANE_BOUNDS.GLD.high],
];

const AGES: Readonly<Record<DailySymbol, readonly Age[]>> = {
  "XAU-USD-SPOT": GOLD,
  "XAG-USD-SPOT": SILVER,
  "HG-USD-SPOT": COPPER,
  "XPT-USD-SPOT": PLATINUM,
  "XPD-USD-SPOT": PALLADIUM,
  GC: GOLD,
  SI: SILVER,
  HG: COPPER,
  GLD,
};

/**
 * The plausible prices of a series at a moment.
 * @param symbol the series
 * @param atMs epoch milliseconds
 * @returns the bounds of its period; those of the first period for anything earlier
 */
export const priceBoundsAt = (symbol: DailySymbol, atMs: number): PriceBounds => {
  const ages = AGES[symbol];
  const startOf = (age: Age | undefined): number => (age ? Date.UTC(age[0], 0, 1) : Number.POSITIVE_INFINITY);
  const place = Math.max(
    ages.findLastIndex((age) => startOf(age) <= atMs),
    0,
  );
  const [, low = "0", high = "0"] = ages[place] ?? [];
  return { low, high, fromMs: place === 0 ? Number.NEGATIVE_INFINITY : startOf(ages[place]), untilMs: startOf(ages[place + 1]) };
};
