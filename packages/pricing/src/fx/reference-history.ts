/** Historical daily reference rates: the rate of a currency on or before a day. */

import { REFERENCE_BASE } from "@assay/catalogue";
import type { DecimalText } from "@assay/contract";
import { divideExact, type Fraction, fraction, multiplyExact, ONE } from "../number/exact.ts";
import { partitionPoint } from "../number/partition-point.ts";
import { isDecimalText } from "../number/scaled.ts";
import { REFERENCE_SERVES_MS } from "./published.ts";
import { pegOf } from "./tables.ts";

/** One day's table: units per unit of the base. Currencies not published that day are missing. */
export interface ReferenceDay {
  /** UTC calendar day, YYYY-MM-DD. */
  readonly day: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
}

export interface DatedRate extends Fraction {
  /** The day it applies to: the requested day, or the last one before it that has the currency. */
  readonly day: string;
}

/** One publisher's daily tables, indexed by currency and day. */
export interface ReferenceHistory {
  /**
   * Units of a currency per USD on a day, or on the last day before it that has both the currency and the dollar.
   * @param currency ISO 4217, upper case; one with a fixed peg follows its anchor
   * @param day UTC calendar day, YYYY-MM-DD
   * @param maxAgeMs how much earlier the rate's day may be; as much as need be by default
   * @returns exact; null when no such day has the currency
   */
  rateOn(currency: string, day: string, maxAgeMs?: number): DatedRate | null;
}

/** The currency whose published rate decides another's: that of its fixed peg, or the currency itself. */
export const referenceCurrency = (currency: string): string => {
  const peg = pegOf(currency);
  return peg?.fixed ? referenceCurrency(peg.to) : currency;
};

/**
 * The rate that serves a day: the newest on or before it, at most seven days old.
 * @param day UTC calendar day, YYYY-MM-DD
 */
export const servingRate = (history: ReferenceHistory, currency: string, day: string): DatedRate | null =>
  history.rateOn(currency, day, REFERENCE_SERVES_MS);

/** Rates of one currency, oldest first. */
interface Series {
  readonly startsMs: readonly number[];
  readonly rates: readonly DatedRate[];
}

const positive = (text: DecimalText | undefined): Fraction | null => {
  if (text === undefined || !isDecimalText(text)) return null;
  const value = fraction(text);
  return value.numerator > 0n ? value : null;
};

const seriesOf = (tables: readonly ReferenceDay[], base: string, currency: string): Series => {
  const startsMs: number[] = [];
  const rates: DatedRate[] = [];
  for (const { day, rates: table } of tables) {
    const usd = base === "USD" ? ONE : positive(table.USD);
    const units = base === currency ? ONE : positive(table[currency]);
    if (!usd || !units) continue;
    startsMs.push(Date.parse(day));
    rates.push({ ...divideExact(units, usd), day });
  }
  return { startsMs, rates };
};

/**
 * Builds a history from daily tables, indexed by currency on first use.
 * @param tables in any order; of duplicate days the later one counts
 * @param base the tables' base currency; by default that of the European Central Bank's
 */
export const referenceHistory = (tables: Iterable<ReferenceDay>, base: string = REFERENCE_BASE.ecb): ReferenceHistory => {
  const byDay = new Map<string, ReferenceDay>();
  for (const table of tables) byDay.set(table.day, table);
  const ordered = [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  const index = new Map<string, Series>();
  const rateOn = (currency: string, day: string, maxAgeMs = Number.POSITIVE_INFINITY): DatedRate | null => {
    if (currency === "USD") return { ...ONE, day };
    const peg = pegOf(currency);
    if (peg?.fixed) {
      const anchor = rateOn(peg.to, day, maxAgeMs);
      return anchor && { ...multiplyExact(anchor, fraction(peg.units)), day: anchor.day };
    }
    const series = index.get(currency) ?? seriesOf(ordered, base, currency);
    index.set(currency, series);
    const dayMs = Date.parse(day);
    const place = partitionPoint(series.startsMs, (startMs) => startMs <= dayMs) - 1;
    return dayMs - (series.startsMs[place] ?? Number.NEGATIVE_INFINITY) <= maxAgeMs ? (series.rates[place] ?? null) : null;
  };
  return { rateOn };
};
