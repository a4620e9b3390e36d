/** The newest bars of every series: forming ones, and the closed ones that prices and delayed views are built from. */
import { BAR_SYMBOLS, type BarSymbol, INTERVALS, type Interval, MINUTE_MS } from "@assay/contract";
import { readNewestBars, type Store } from "@assay/db";
import { aggregateBars, type BarRow, barEnd, bucketStart } from "@assay/pricing";

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

/** The bars price statistics need, loaded once and kept up to date by events. */
export class RecentBars {
  readonly #store: Store;
  /** Bars that arrived during each load in progress. */
  readonly #heard = new Set<BarRow[]>();
  readonly #forming = new Map<string, BarRow>();
  /** The newest closed bars of each series, oldest first. */
  readonly #closed = new Map<string, BarRow[]>();
  readonly #delayed = new Map<string, { readonly minuteMs: number; readonly bar: BarRow | null }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Loads forming bars, and the newest closed ones of every interval.
   * @param symbols the series
   */
  async load(symbols: readonly BarSymbol[], nowMs: number): Promise<void> {
    const heard: BarRow[] = [];
    this.#heard.add(heard);
    try {
      for (const symbol of symbols) await this.#loadSymbol(symbol, nowMs);
    } finally {
      this.#heard.delete(heard);
    }
    // The store may have been read before they were written.
    for (const bar of heard) this.#keep(bar);
    this.#delayed.clear();
  }

  async #loadSymbol(symbol: BarSymbol, nowMs: number): Promise<void> {
    const newestFirst = await readNewestBars(this.#store, symbol, INTERVALS, { countOf: keptOf, untilMs: nowMs });
    for (const interval of INTERVALS) {
      const bars = newestFirst.filter((bar) => bar.interval === interval);
      this.#closed.set(seriesName(symbol, interval), oldestFirst(bars.filter((bar) => bar.isClosed)));
      const [newest] = bars;
      // A bar that stopped forming may have been withdrawn.
      this.#forming.delete(seriesName(symbol, interval));
      if (newest) this.#noteForming(newest);
    }
  }

  apply(bars: readonly BarRow[]): void {
    for (const heard of this.#heard) heard.push(...bars);
    for (const bar of bars) this.#keep(bar);
  }

  /** Drops the bars built for delayed views; they are rebuilt from the minutes. */
  forgetDelayed(): void {
    this.#delayed.clear();
  }

  /** The bar that was forming at an instant; Infinity means now. */
  formingAt(symbol: BarSymbol, interval: Interval, asOfMs: number): BarRow | null {
    if (asOfMs === Number.POSITIVE_INFINITY) return this.#forming.get(seriesName(symbol, interval)) ?? null;
    const minuteMs = bucketStart(asOfMs, "1m");
    const name = seriesName(symbol, interval);
    const known = this.#delayed.get(name);
    if (known?.minuteMs === minuteMs) return known.bar;
    const startMs = bucketStart(asOfMs, interval);
    const minutes = this.#closedOf(symbol, "1m").filter(
      (bar) => bar.barStartMs >= startMs && bar.barStartMs + MINUTE_MS <= minuteMs,
    );
    const [built] = interval === "1m" ? [] : aggregateBars(minutes, interval);
    const bar = built ? { ...built, isClosed: false } : null;
    this.#delayed.set(name, { minuteMs, bar });
    return bar;
  }

  /**
   * The daily bar of an instant, and the last closed one before the day of a price, as seen at that instant.
   * @param pricedAtMs an instant of the day that the price belongs to: on a Saturday that is a Friday
   */
  daily(symbol: BarSymbol, asOfMs: number, live: boolean, pricedAtMs = asOfMs): DailyPair {
    const today = this.formingAt(symbol, "1d", live ? Number.POSITIVE_INFINITY : asOfMs);
    const dayStartMs = bucketStart(pricedAtMs, "1d");
    const previous = this.#closedOf(symbol, "1d").findLast((bar) => bar.barStartMs < dayStartMs) ?? null;
    return { today, previous };
  }

  /** Start of the newest minute of a series, forming or closed; null when there is none. */
  newestMinuteMs(symbol: BarSymbol): number | null {
    return (this.#forming.get(seriesName(symbol, "1m")) ?? this.#closedOf(symbol, "1m").at(-1))?.barStartMs ?? null;
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
    let last: BarRow | null = null;
    for (const interval of INTERVALS) {
      const bar = this.#closedOf(symbol, interval).findLast(
        (each) => each.barStartMs < closedAtMs && barEnd(each) <= asOfMs && isShown(each),
      );
      if (!bar) continue;
      const further = last ? reach(bar) - reach(last) || bar.barStartMs - last.barStartMs : 1;
      if (further > 0) last = bar;
    }
    return last;
  }

  #closedOf(symbol: string, interval: Interval): readonly BarRow[] {
    return this.#closed.get(seriesName(symbol, interval)) ?? [];
  }

  /** Keeps what prices and delayed views are built from. */
  #keep(bar: BarRow): void {
    this.#noteForming(bar);
    if (bar.isClosed) keepLast(this.#closed, bar);
  }

  /** A closed bar replaces the forming one it grew from, and any before it. */
  #noteForming(bar: BarRow): void {
    const name = seriesName(bar.symbol, bar.interval);
    const forming = this.#forming.get(name);
    if (!bar.isClosed) this.#forming.set(name, bar);
    else if (forming && forming.barStartMs <= bar.barStartMs) this.#forming.delete(name);
  }
}

const oldestFirst = (bars: readonly BarRow[]): BarRow[] => bars.toSorted((left, right) => left.barStartMs - right.barStartMs);

const keepLast = (closed: Map<string, BarRow[]>, bar: BarRow): void => {
  const name = seriesName(bar.symbol, bar.interval);
  const bars = closed.get(name);
  if (!bars) {
    closed.set(name, [bar]);
    return;
  }
  const newest = bars.at(-1);
  if (newest && newest.barStartMs === bar.barStartMs) bars[bars.length - 1] = bar;
  else if (!newest || newest.barStartMs < bar.barStartMs) bars.push(bar);
  const count = keptOf(bar.interval);
  if (bars.length > count * 2) bars.splice(0, bars.length - count);
};
