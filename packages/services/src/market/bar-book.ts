/** Every bar a caller can request, and no more: closed bars encoded once, plus the bar forming at the caller's instant. */
import { type BarSymbol, DAY_MS, INTERVAL_MS, INTERVALS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import { type EncodedBars, encodeBar, readBars, readEncodedBars, readHistoryGaps, type Store } from "@assay/db";
import { type BarRow, type HistoryGap, lacksBars } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";
import { RecentBars } from "./recent-bars.ts";
import { seriesName } from "./series-name.ts";

/** Below a day no caller sees beyond the tier depth, which starts at midnight: only that much is kept, plus a day. */
const REACH_MS = (INTRADAY_DEPTH_DAYS + 2) * DAY_MS;
/** A series is trimmed once it has grown by this much. */
const SLACK_MS = DAY_MS;

/** A caller's request for bars. */
export interface BarQuery {
  readonly symbol: BarSymbol;
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  /** The instant the caller sees; Infinity for a live one. */
  readonly asOfMs: number;
}

/** A page of encoded bars, newest first. */
export interface EncodedPage {
  /** The forming bar, when it is part of the page. */
  readonly forming: string | null;
  /** Closed bars, joined by commas. */
  readonly closed: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Start of the oldest bar of the page; null when it is empty. */
  readonly oldestStartMs: number | null;
  /** Whether the window contains older ones. */
  readonly hasOlder: boolean;
  readonly sourceId: string | null;
  /** False while bars of it are still being filled in. */
  readonly isComplete: boolean;
}

interface Series {
  arena: BarArena;
  /** The newest closed bar received or loaded. */
  newest: BarRow | null;
}

/** Later than any bar, and a date every engine can store. */
const END_OF_TIME_MS = Date.UTC(9999, 0, 1);

/**
 * Bars of all series. A series is loaded from the store when first requested, and kept up to date by events. Below a day only
 * the depth that tiers have is loaded, however much the store holds.
 */
export class BarBook {
  readonly #store: Store;
  readonly #recent: RecentBars;
  readonly #series = new Map<string, Series>();
  readonly #loading = new Map<string, Promise<Series>>();
  /** Closed bars that arrived while their series was being loaded; removed when the series must be reloaded. */
  readonly #arrived = new Map<string, BarRow[]>();
  readonly #encodedForming = new WeakMap<BarRow, string>();
  /** What is still missing of the stored past. */
  #gaps: readonly HistoryGap[] = [];
  /** A version object for each requested series; dropped on its next change. */
  readonly #stamps = new Map<string, object>();

  constructor(store: Store) {
    this.#store = store;
    this.#recent = new RecentBars(store);
  }

  /** What is still missing of the stored past. */
  get gaps(): readonly HistoryGap[] {
    return this.#gaps;
  }

  /** Whether no bar of a window is still being filled in. */
  isComplete(window: Pick<BarQuery, "interval" | "fromMs" | "toMs"> & { readonly symbol: string }): boolean {
    return !lacksBars(this.#gaps, window);
  }

  /** Reads again what is missing, and drops the series that have or had gaps: each is reloaded when next requested. */
  async loadGaps(): Promise<void> {
    const gaps = await readHistoryGaps(this.#store);
    for (const symbol of new Set([...this.#gaps, ...gaps].map((gap) => gap.symbol))) this.#drop(symbol);
    this.#gaps = gaps;
  }

  /** The bars price statistics are computed from. */
  get recent(): Pick<RecentBars, "daily" | "newestMinuteMs" | "lastBefore"> {
    return this.#recent;
  }

  /**
   * Loads the bars price statistics need: forming bars, the last days, and the last day's minutes.
   * @param symbols the series
   * @param nowMs now
   */
  async load(symbols: readonly BarSymbol[], nowMs: number): Promise<void> {
    await this.#recent.load(symbols, nowMs);
    this.#stamps.clear();
  }

  /** Applies bars as they were written. */
  apply(bars: readonly BarRow[]): void {
    this.#recent.apply(bars);
    for (const bar of bars) {
      this.#stamps.delete(seriesName(bar.symbol, bar.interval));
      if (bar.isClosed) this.#append(seriesName(bar.symbol, bar.interval), bar);
    }
  }

  /** Drops every loaded series; each is reloaded when next requested. */
  forget(): void {
    this.#series.clear();
    this.#arrived.clear();
    this.#recent.forgetDelayed();
    this.#stamps.clear();
  }

  /** Drops a series whose stored bars were replaced; it is reloaded when next requested. */
  async reload(symbol: string, nowMs: number): Promise<void> {
    this.#drop(symbol);
    await this.load([symbol as BarSymbol], nowMs); // events name stored series only
  }

  #drop(symbol: string): void {
    this.#stamps.clear();
    for (const interval of INTERVALS) {
      this.#series.delete(seriesName(symbol, interval));
      this.#arrived.delete(seriesName(symbol, interval));
    }
  }

  #append(name: string, bar: BarRow): void {
    this.#arrived.get(name)?.push(bar);
    const series = this.#series.get(name);
    if (series && !takeClosed(series, bar)) this.#series.delete(name);
  }

  #seriesOf(symbol: BarSymbol, interval: Interval): Series | Promise<Series> {
    const name = seriesName(symbol, interval);
    const known = this.#series.get(name);
    if (known) return known;
    const under = this.#loading.get(name);
    if (under) return under;
    const loading = this.#read(symbol, interval, name).finally(() => {
      this.#loading.delete(name);
      this.#arrived.delete(name);
    });
    this.#loading.set(name, loading);
    return loading;
  }

  async #read(symbol: BarSymbol, interval: Interval, name: string): Promise<Series> {
    for (;;) {
      const arrived: BarRow[] = [];
      this.#arrived.set(name, arrived);
      const [newest] = await readBars(this.#store, { symbol, interval, fromMs: 0, toMs: END_OF_TIME_MS, limit: 1 });
      const sinceMs = newest && interval !== "1d" ? newest.barStartMs - REACH_MS : undefined;
      const encoded = await readEncodedBars(this.#store, symbol, interval, sinceMs);
      const series: Series = { arena: loadArena(encoded), newest: newest ?? null };
      const isCurrent = this.#arrived.get(name) === arrived;
      if (!isCurrent || !arrived.every((bar) => takeClosed(series, bar))) continue;
      this.#series.set(name, series);
      return series;
    }
  }

  /** The number of closed bars of a series in memory; 0 before it is requested. */
  heldOf(symbol: BarSymbol, interval: Interval): number {
    return this.#series.get(seriesName(symbol, interval))?.arena.length ?? 0;
  }

  /**
   * The version of a series as callers without delay see it: the same object until one of its bars changes.
   * Take it before building anything from the series, so that a concurrent change is noticed.
   */
  stampOf(symbol: BarSymbol, interval: Interval): object {
    const name = seriesName(symbol, interval);
    const known = this.#stamps.get(name);
    if (known) return known;
    const stamp = {};
    this.#stamps.set(name, stamp);
    return stamp;
  }

  /** One page, newest first. Waits only for the first load of a series. */
  async page(query: BarQuery): Promise<EncodedPage> {
    const found = this.#seriesOf(query.symbol, query.interval);
    const series = found instanceof Promise ? await found : found;
    const { arena } = series;
    const lengthMs = INTERVAL_MS[query.interval];
    const lastClosedMs = Math.min(query.toMs, query.asOfMs - lengthMs);
    const forming = this.#recent.formingAt(query.symbol, query.interval, query.asOfMs);
    const shown =
      forming &&
      forming.barStartMs >= query.fromMs &&
      forming.barStartMs <= query.toMs &&
      forming.barStartMs > this.#newestClosed(arena, query.asOfMs, lengthMs)
        ? forming
        : null;
    const span = arena.page(query.fromMs, lastClosedMs, query.limit - (shown ? 1 : 0));
    const closedCount = Math.max(0, span.to - span.from + 1);
    const oldestStartMs = closedCount > 0 ? arena.startAt(span.from) : (shown?.barStartMs ?? null);
    const hasOlder =
      closedCount > 0 ? arena.hasOlder(span.from, query.fromMs) : shown !== null && arena.hasOlder(span.to + 1, query.fromMs);
    // A page that is followed by an older one ends with its oldest bar, the last one with its window.
    const fromMs = hasOlder && oldestStartMs !== null ? oldestStartMs : query.fromMs;
    return {
      forming: shown ? this.#encodeForming(shown) : null,
      closed: arena.slice(span),
      count: closedCount + (shown ? 1 : 0),
      oldestStartMs,
      hasOlder,
      sourceId: (shown ?? series.newest)?.sourceId ?? null,
      isComplete: this.isComplete({ ...query, fromMs }),
    };
  }

  #newestClosed(arena: BarArena, asOfMs: number, lengthMs: number): number {
    return Math.min(arena.newestStartMs, asOfMs - lengthMs);
  }

  #encodeForming(bar: BarRow): string {
    const known = this.#encodedForming.get(bar);
    if (known !== undefined) return known;
    const json = encodeBar(bar);
    this.#encodedForming.set(bar, json);
    return json;
  }
}

/**
 * Adds a closed bar to a series, or corrects its newest.
 * @returns false when it is older: the series must be reloaded
 */
const takeClosed = (series: Series, bar: BarRow): boolean => {
  if (!series.arena.append(bar.barStartMs, encodeBar(bar))) return false;
  series.newest = bar;
  const { arena } = series;
  if (bar.interval !== "1d" && arena.oldestStartMs < bar.barStartMs - REACH_MS - SLACK_MS)
    arena.keepFrom(bar.barStartMs - REACH_MS);
  return true;
};

const FORMING = Buffer.from('"is_closed":false}');

/** Builds an arena of all bars but a forming newest one. */
const loadArena = ({ bytes, startsMs, lengths }: EncodedBars): BarArena => {
  const end = lengths[0] ?? 0;
  return FORMING.equals(bytes.subarray(Math.max(0, end - FORMING.length), end))
    ? BarArena.load(bytes.subarray(end + 1), startsMs.subarray(1), lengths.subarray(1))
    : BarArena.load(bytes, startsMs, lengths);
};
