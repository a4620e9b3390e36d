/** The newest bars of every series: forming ones, the last days, and the minutes a delayed view is built from. */
import { type BarSymbol, INTERVALS, type Interval } from "@assay/contract";
import { readBars, type Store } from "@assay/db";
import { aggregateBars, type BarRow, bucketStart } from "@assay/pricing";
import { seriesName } from "./series-name.ts";

const MINUTE_MS = 60_000;
/** Minutes kept for delayed views: a UTC day and the delay. */
const MINUTES_KEPT = 24 * 60 + 20;
/** Daily bars kept: the one before that of a delayed instant is among them. */
const DAYS_KEPT = 4;

/** The daily bars a price is set beside. */
export interface DailyPair {
  readonly today: BarRow | null;
  readonly previous: BarRow | null;
}

/** What prices are set beside, read once and kept by events from then on. */
export class RecentBars {
  readonly #store: Store;
  /** Bars that arrived during each load under way. */
  readonly #heard = new Set<BarRow[]>();
  readonly #forming = new Map<string, BarRow>();
  readonly #minutes = new Map<string, BarRow[]>();
  readonly #daily = new Map<string, BarRow[]>();
  readonly #delayed = new Map<string, { readonly minuteMs: number; readonly bar: BarRow | null }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Reads forming bars, the last days, and the minutes of the last one.
   * @param symbols the series
   * @param nowMs now
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
    const minutesFromMs = bucketStart(nowMs, "1m") - MINUTES_KEPT * MINUTE_MS;
    const minutes = await readBars(this.#store, {
      symbol,
      interval: "1m",
      fromMs: minutesFromMs,
      toMs: nowMs,
      limit: MINUTES_KEPT * 2,
    });
    const daily = await readBars(this.#store, { symbol, interval: "1d", fromMs: 0, toMs: nowMs, limit: DAYS_KEPT });
    this.#minutes.set(symbol, oldestFirst(minutes.filter((bar) => bar.isClosed)));
    this.#daily.set(symbol, oldestFirst(daily.filter((bar) => bar.isClosed)));
    for (const interval of INTERVALS) {
      const [newest] = await readBars(this.#store, { symbol, interval, fromMs: 0, toMs: nowMs, limit: 1 });
      if (newest) this.#noteForming(newest);
    }
  }

  /** Takes in bars as they were written. */
  apply(bars: readonly BarRow[]): void {
    for (const heard of this.#heard) heard.push(...bars);
    for (const bar of bars) this.#keep(bar);
  }

  /** Forgets what was built for delayed views; it is built again from the minutes. */
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
    const minutes = (this.#minutes.get(symbol) ?? []).filter(
      (bar) => bar.barStartMs >= startMs && bar.barStartMs + MINUTE_MS <= minuteMs,
    );
    const [built] = interval === "1m" ? [] : aggregateBars(minutes, interval);
    const bar = built ? { ...built, isClosed: false } : null;
    this.#delayed.set(name, { minuteMs, bar });
    return bar;
  }

  /** The day of an instant and the closed one before it, as seen at that instant. */
  daily(symbol: BarSymbol, asOfMs: number, live: boolean): DailyPair {
    const today = this.formingAt(symbol, "1d", live ? Number.POSITIVE_INFINITY : asOfMs);
    const dayStartMs = bucketStart(asOfMs, "1d");
    const previous = (this.#daily.get(symbol) ?? []).findLast((bar) => bar.barStartMs < dayStartMs) ?? null;
    return { today, previous };
  }

  /** Start of the newest minute of a series, forming or closed; null when there is none. */
  newestMinuteMs(symbol: BarSymbol): number | null {
    return (this.#forming.get(seriesName(symbol, "1m")) ?? this.#minutes.get(symbol)?.at(-1))?.barStartMs ?? null;
  }

  /** Keeps what prices and delayed views are made of. */
  #keep(bar: BarRow): void {
    this.#noteForming(bar);
    if (!bar.isClosed) return;
    if (bar.interval === "1m") keepLast(this.#minutes, bar, MINUTES_KEPT);
    if (bar.interval === "1d") keepLast(this.#daily, bar, DAYS_KEPT);
  }

  /** A closed bar ends the forming one it grew from, and any before it. */
  #noteForming(bar: BarRow): void {
    const name = seriesName(bar.symbol, bar.interval);
    const forming = this.#forming.get(name);
    if (!bar.isClosed) this.#forming.set(name, bar);
    else if (forming && forming.barStartMs <= bar.barStartMs) this.#forming.delete(name);
  }
}

const oldestFirst = (bars: readonly BarRow[]): BarRow[] => bars.toSorted((left, right) => left.barStartMs - right.barStartMs);

const keepLast = (kept: Map<string, BarRow[]>, bar: BarRow, count: number): void => {
  const bars = kept.get(bar.symbol);
  if (!bars) {
    kept.set(bar.symbol, [bar]);
    return;
  }
  const newest = bars.at(-1);
  if (newest && newest.barStartMs === bar.barStartMs) bars[bars.length - 1] = bar;
  else if (!newest || newest.barStartMs < bar.barStartMs) bars.push(bar);
  if (bars.length > count * 2) bars.splice(0, bars.length - count);
};
