/** The simulated price of an instant, its digits, and bars equal to aggregating the price of every second without computing all. */
import { DAY_MS, type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import type { DailySymbol, Instrument, WholeBar } from "@assay/pricing";
import { SimulatedDay } from "../path/day.ts";
import { valueAt } from "../path/path.ts";
import { type OpenSpan, openSpans, pathOf, type SimulatedHours, seriesOf, tradedIn, tradeOf } from "../series/series.ts";

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000] as const;

/**
 * Converts a level to whole units of its last published decimal, rounded half up.
 * @param decimals 0 to 5
 */
export const toUnits = (level: number, decimals: number): number => Math.floor(level * (POWERS[decimals] ?? 1) + 0.5);

/**
 * Formats units of the last decimal as decimal text.
 * @param units a whole number, not negative
 * @param decimals digits after the point
 */
export const unitsText = (units: number, decimals: number): DecimalText => {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** The simulated price of an instant in units of its last published decimal. */
export const priceUnits = (instrument: Instrument, atMs: number, seed: number): number => {
  const series = seriesOf(instrument);
  return toUnits(valueAt(pathOf(series, seed), Math.floor(atMs / 1_000)), series.decimals);
};

/**
 * The simulated price of an instant: the same for every caller with the same seed.
 * @param instrument the instrument, priced in USD per its unit
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed, any safe integer
 * @returns decimal text with the instrument's published decimals
 * @throws RangeError before 1995-03 or after 2099
 */
export const simulatedPrice = (instrument: Instrument, atMs: number, seed: number): DecimalText =>
  unitsText(priceUnits(instrument, atMs, seed), seriesOf(instrument).decimals);

/** The source id of everything the simulated market reports. */
export const SIMULATED_SOURCE = "simulated";

/**
 * The bars that start in [fromMs, toMs), oldest first.
 *
 * Open, high, low and close are those of `simulatedPrice` at each whole second of the bar in which the market trades, and the
 * volume is the sum of those seconds, so bars of any interval agree with each other and with ticks. A bar that `toMs` cuts short
 * covers the seconds before `toMs` and is not closed. Bars without trading, and bars before a series' first day, are omitted
 * (1996-01-01; GLD 2004-11-18).
 * @param fromMs epoch milliseconds
 * @param toMs epoch milliseconds; exclusive
 * @param seed the market's seed
 * @param hours when the market trades
 * @throws RangeError after 2099
 */
export function* simulatedBars(
  symbol: DailySymbol,
  interval: Interval,
  fromMs: number,
  toMs: number,
  seed: number,
  hours: SimulatedHours = "always",
): Generator<WholeBar, void, undefined> {
  const series = seriesOf(symbol);
  const path = pathOf(series, seed);
  const trade = tradeOf(series, seed);
  const length = INTERVAL_MS[interval];
  const spansOf = openSpans(hours, series.venue);
  const text = (level: number) => unitsText(toUnits(level, series.decimals), series.decimals);
  let day: SimulatedDay | undefined;

  const first = Math.max(fromMs, series.firstDay * DAY_MS);
  for (let startMs = Math.ceil(first / length) * length; startMs < toMs; startMs += length) {
    const endMs = startMs + length;
    const spans = wholeSeconds(spansOf(startMs, Math.min(endMs, toMs)));
    const [opening, closing] = [spans[0], spans.at(-1)];
    if (!opening || !closing) continue;
    const dayNumber = Math.floor(startMs / DAY_MS);
    day ??= new SimulatedDay(path, dayNumber);
    day.turnTo(dayNumber);
    const extremes = { high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY };
    let volume = 0;
    for (const { from, to } of spans) {
      day.take(from, to, extremes);
      if (trade) volume += tradedIn(trade, from, to);
    }
    yield {
      symbol: series.symbol,
      interval,
      barStartMs: startMs,
      open: text(day.value(opening.from)),
      high: text(extremes.high),
      low: text(extremes.low),
      close: text(day.value(closing.to - 1)),
      volume: trade ? String(volume) : null,
      isClosed: endMs <= toMs,
      sourceId: SIMULATED_SOURCE,
    };
  }
}

/** Converts spans of milliseconds, [from, to) each, to whole seconds; empty ones are omitted. */
const wholeSeconds = (spans: readonly OpenSpan[]): { readonly from: number; readonly to: number }[] =>
  spans
    .map(({ fromMs, toMs }) => ({ from: Math.ceil(fromMs / 1_000), to: Math.ceil(toMs / 1_000) }))
    .filter(({ from, to }) => from < to);
