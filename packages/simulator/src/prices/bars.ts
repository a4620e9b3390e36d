/** Bars of the simulated market: equal to aggregating its price at every whole second, without computing them all. */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import type { BarRow, DailySymbol } from "@assay/pricing";
import { SimulatedDay } from "../path/day.ts";
import { type OpenSpan, openSpans, type SimulatedHours } from "../series/hours.ts";
import { pathOf, seriesOf } from "../series/series.ts";
import { tradedIn, tradeOf } from "../series/volume.ts";
import { toUnits, unitsText } from "./digits.ts";

/** The source id of everything the simulated market reports. */
export const SIMULATED_SOURCE = "simulated";

/**
 * The bars that start in [fromMs, toMs), oldest first.
 *
 * Open, high, low and close are those of `simulatedPrice` at each whole second of the bar in which the market trades, and the
 * volume is the sum of those seconds, so bars of any interval agree with each other and with ticks. A bar that `toMs` cuts short
 * covers the seconds before `toMs` and is not closed. Bars without trading, and bars before a series' first day, are omitted
 * (1996-01-01; GLD 2004-11-18).
 * @param symbol the bar series
 * @param interval the bars' length
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
): Generator<BarRow, void, undefined> {
  const series = seriesOf(symbol);
  const path = pathOf(series, seed);
  const trade = tradeOf(series, seed);
  const length = INTERVAL_MS[interval];
  const spansOf = openSpans(hours);
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
