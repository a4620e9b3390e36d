/** The newest bars of every series: forming ones, and the closed ones that prices and delayed views are built from. */
import { BAR_SYMBOLS, type BarSymbol, INTERVALS, type Interval, MINUTE_MS } from "@assay/contract";
import { readNewestBars, type Store } from "@assay/db";
import { aggregateBars, type BarRow, barEnd, bucketStart } from "@assay/pricing";
import { Followed } from "./followed.ts";

/** Made once: a map hashes a joined name again at every look-up. */
const NAMES = new Map<string, ReadonlyMap<Interval, string>>(
  BAR_SYMBOLS.map((symbol) => [symbol, new Map(INTERVALS.map((interval) => [interval, `${symbol} ${interval}`]))]),
);

export const seriesName = (symbol: string, interval: Interval): string =>
  NAMES.get(symbol)?.get(interval) ?? `${symbol} ${interval}`;

/** Closed bars kept per interval: as many as end within the delay, and a few more. */
const KEPT = 20;
/** Minutes kept for delayed views: a UTC day and the delay. */
const MINUTES_KEPT = 24 * 60 + KEPT;

const keptOf = (interval: Interval): number => (interval === "1m" ? MINUTES_KEPT : KEPT);

/** The daily bars price statistics are computed from. */
export interface DailyPair {
  readonly today: BarRow | null;
  readonly previous: BarRow | null;
}

/** The newest bars of a symbol. */
class NewestBars {
  readonly forming = new Map<Interval, BarRow>();
  /** Oldest first. */
  readonly closed = new Map<Interval, BarRow[]>();
  /** Forming bars as they were at a minute. */
  readonly delayed = new Map<Interval, { readonly minuteMs: number; readonly bar: BarRow | null }>();

  static of(newestFirst: readonly BarRow[]): NewestBars {
    const bars = new NewestBars();
    for (const bar of newestFirst.toReversed()) bars.apply(bar);
    return bars;
  }

  apply(bar: BarRow): void {
    const { interval } = bar;
    const forming = this.forming.get(interval);
    // A closed bar replaces the forming one it grew from, and any before it.
    if (!bar.isClosed) this.forming.set(interval, bar);
    else if (forming && forming.barStartMs <= bar.barStartMs) this.forming.delete(interval);
    if (bar.isClosed) keepLast(this.closed, bar);
  }

  closedOf(interval: Interval): readonly BarRow[] {
    return this.closed.get(interval) ?? [];
  }
}

/** The bars price statistics need, loaded once and kept up to date by events. */
export class RecentBars {
  readonly #store: Store;
  readonly #symbols = new Map<string, Followed<NewestBars, BarRow>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Loads forming bars, and the newest closed ones of every interval.
   * @param symbols the series
   */
  async load(symbols: readonly BarSymbol[], nowMs: number): Promise<void> {
    for (const symbol of symbols) {
      const read = () => readNewestBars(this.#store, symbol, INTERVALS, { countOf: keptOf, untilMs: nowMs });
      await this.#of(symbol).load(async () => NewestBars.of(await read()));
    }
  }

  apply(bars: readonly BarRow[]): void {
    for (const bar of bars) this.#of(bar.symbol).apply(bar);
  }

  #of(symbol: string): Followed<NewestBars, BarRow> {
    const known = this.#symbols.get(symbol);
    if (known) return known;
    const followed = new Followed<NewestBars, BarRow>(new NewestBars(), (bars, bar) => bars.apply(bar));
    this.#symbols.set(symbol, followed);
    return followed;
  }

  /** The bar that was forming at an instant; Infinity means now. */
  formingAt(symbol: BarSymbol, interval: Interval, asOfMs: number): BarRow | null {
    const bars = this.#of(symbol).now;
    if (asOfMs === Number.POSITIVE_INFINITY) return bars.forming.get(interval) ?? null;
    const minuteMs = bucketStart(asOfMs, "1m");
    const known = bars.delayed.get(interval);
    if (known?.minuteMs === minuteMs) return known.bar;
    const startMs = bucketStart(asOfMs, interval);
    const minutes = bars.closedOf("1m").filter((bar) => bar.barStartMs >= startMs && bar.barStartMs + MINUTE_MS <= minuteMs);
    const [built] = interval === "1m" ? [] : aggregateBars(minutes, interval);
    const bar = built ? { ...built, isClosed: false } : null;
    bars.delayed.set(interval, { minuteMs, bar });
    return bar;
  }

  /**
   * The daily bar of an instant, and the last closed one before the day of a price, as seen at that instant.
   * @param pricedAtMs an instant of the day that the price belongs to: on a Saturday that is a Friday
   */
  daily(symbol: BarSymbol, asOfMs: number, live: boolean, pricedAtMs = asOfMs): DailyPair {
    const today = this.formingAt(symbol, "1d", live ? Number.POSITIVE_INFINITY : asOfMs);
    const dayStartMs = bucketStart(pricedAtMs, "1d");
    const days = this.#of(symbol).now.closedOf("1d");
    return { today, previous: days.findLast((bar) => bar.barStartMs < dayStartMs) ?? null };
  }

  /** Start of the newest minute of a series, forming or closed; null when there is none. */
  newestMinuteMs(symbol: BarSymbol): number | null {
    const { forming, closed } = this.#of(symbol).now;
    return (forming.get("1m") ?? closed.get("1m")?.at(-1))?.barStartMs ?? null;
  }

  /**
   * The last bar before the market closed: across all intervals, the one that ends last, and among those the one that starts
   * last.
   * @param closedAtMs when the market closed
   * @param asOfMs an instant while it is closed; bars that end later are not known then
   * @param isShown which bars count; all when left out
   * @returns null when there is none
   */
  lastBefore(
    symbol: BarSymbol,
    closedAtMs: number,
    asOfMs: number,
    isShown: (bar: BarRow) => boolean = () => true,
  ): BarRow | null {
    const reach = (bar: BarRow): number => Math.min(barEnd(bar), closedAtMs);
    const bars = this.#of(symbol).now;
    let last: BarRow | null = null;
    for (const interval of INTERVALS) {
      const bar = bars
        .closedOf(interval)
        .findLast((each) => each.barStartMs < closedAtMs && barEnd(each) <= asOfMs && isShown(each));
      if (!bar) continue;
      const further = last ? reach(bar) - reach(last) || bar.barStartMs - last.barStartMs : 1;
      if (further > 0) last = bar;
    }
    return last;
  }
}

const keepLast = (closed: Map<Interval, BarRow[]>, bar: BarRow): void => {
  const bars = closed.get(bar.interval);
  if (!bars) {
    closed.set(bar.interval, [bar]);
    return;
  }
  const newest = bars.at(-1);
  if (newest && newest.barStartMs === bar.barStartMs) bars[bars.length - 1] = bar;
  else if (!newest || newest.barStartMs < bar.barStartMs) bars.push(bar);
  const count = keptOf(bar.interval);
  if (bars.length > count * 2) bars.splice(0, bars.length - count);
};
