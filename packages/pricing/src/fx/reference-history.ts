/** Historical daily reference rates: the rate of a currency on or before a day. */
import type { DecimalText } from "@assay/contract";
import { divideExact, type Fraction, fraction, multiplyExact, ONE } from "../number/fraction.ts";
import { isDecimalText } from "../number/scaled.ts";
import { BGN_PER_EUR } from "./pegs.ts";

/** One day's table: units per unit of the base. Currencies not published that day are missing. */
export interface ReferenceDay {
  /** UTC calendar day, YYYY-MM-DD. */
  readonly day: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
}

/** A rate and its day. */
export interface DatedRate extends Fraction {
  /** The day it applies to: the requested day, or the last one before it that has the currency. */
  readonly day: string;
}

/** One publisher's daily tables, indexed by currency and day. */
export interface ReferenceHistory {
  /** First and last day, null when there is none. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /**
   * Units of a currency per USD on a day, or on the last day before it that has both the currency and the dollar.
   * @param currency ISO 4217, upper case; BGN is the euro's rate times 1.95583
   * @param day UTC calendar day, YYYY-MM-DD
   * @returns exact; null when no day up to it has the currency
   */
  rateOn(currency: string, day: string): DatedRate | null;
}

interface Series {
  readonly days: readonly string[];
  readonly rates: readonly Fraction[];
}

const EMPTY_SERIES: Series = { days: [], rates: [] };

const positive = (text: DecimalText | undefined): Fraction | null => {
  if (text === undefined || !isDecimalText(text)) return null;
  const value = fraction(text);
  return value.numerator > 0n ? value : null;
};

const seriesOf = (tables: readonly ReferenceDay[], base: string, currency: string): Series => {
  const days: string[] = [];
  const rates: Fraction[] = [];
  for (const { day, rates: table } of tables) {
    const usd = base === "USD" ? ONE : positive(table.USD);
    const units = base === currency ? ONE : positive(table[currency]);
    if (!usd || !units) continue;
    days.push(day);
    rates.push(divideExact(units, usd));
  }
  return days.length > 0 ? { days, rates } : EMPTY_SERIES;
};

/** The index of the last day that is not later; -1 when all are. Days in this format sort lexicographically. */
const lastUpTo = (days: readonly string[], day: string): number => {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? "") <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/**
 * Builds a history from daily tables, indexed by currency on first use.
 * @param tables in any order; of duplicate days the later one counts
 * @param base the tables' base currency, EUR for those of the European Central Bank
 */
export const referenceHistory = (tables: Iterable<ReferenceDay>, base = "EUR"): ReferenceHistory => {
  const byDay = new Map<string, ReferenceDay>();
  for (const table of tables) byDay.set(table.day, table);
  const ordered = [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  const index = new Map<string, Series>();
  const rateOn = (currency: string, day: string): DatedRate | null => {
    if (currency === "USD") return { ...ONE, day };
    if (currency === "BGN") {
      const euro = rateOn("EUR", day);
      return euro && { ...multiplyExact(euro, fraction(BGN_PER_EUR)), day: euro.day };
    }
    const series = index.get(currency) ?? seriesOf(ordered, base, currency);
    index.set(currency, series);
    const place = lastUpTo(series.days, day);
    const rate = series.rates[place];
    const found = series.days[place];
    return rate && found !== undefined ? { ...rate, day: found } : null;
  };
  return { firstDay: ordered[0]?.day ?? null, lastDay: ordered.at(-1)?.day ?? null, rateOn };
};
