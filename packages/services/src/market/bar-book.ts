/** Every bar a caller can reach, and no more: closed ones encoded once, the forming ones, and the minutes a delayed view is built from. */
import { type BarSymbol, INTERVAL_MS, INTERVALS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import { type EncodedBars, encodeBar, readBars, readEncodedBars, type Store } from "@assay/db";
import { aggregateBars, type BarRow, bucketStart } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";

const MINUTE_MS = 60_000;
const DAY_MS = INTERVAL_MS["1d"];
/** Of intervals below a day no caller sees more than their depth, which begins with a whole day: so much is kept, with a day to spare. */
const REACH_MS = (INTRADAY_DEPTH_DAYS + 2) * DAY_MS;
/** A series is cut back once it has grown by so much more. */
const SLACK_MS = DAY_MS;
/** Minutes kept for delayed views: a UTC day and the delay. */
const MINUTES_KEPT = 24 * 60 + 20;

/** What of a series a caller asks for. */
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
  /** The forming bar, when it belongs to the page. */
  readonly forming: string | null;
  /** Closed bars, joined by commas. */
  readonly closed: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Start of the oldest bar of the page; null when it is empty. */
  readonly oldestStartMs: number | null;
  /** Whether the window holds older ones. */
  readonly hasOlder: boolean;
  readonly sourceId: string | null;
}

/** The daily bars a price is set beside. */
export interface DailyPair {
  readonly today: BarRow | null;
  readonly previous: BarRow | null;
}

interface Series {
  arena: BarArena;
  /** The newest closed bar that was heard of or read. */
  newest: BarRow | null;
}

/** Later than any bar, and a date every engine can write. */
const END_OF_TIME_MS = Date.UTC(9999, 0, 1);

const nameOf = (symbol: string, interval: Interval): string => `${symbol} ${interval}`;

/**
 * Bars of all series; a series is read from the store when it is first asked for, and kept by events from then on. Below a day
 * that is the depth every tier has, however much the store holds.
 */
export class BarBook {
  readonly #store: Store;
  readonly #series = new Map<string, Series>();
  readonly #loading = new Map<string, Promise<Series>>();
  /** Closed bars that arrived while their series was being read; taken away when what is read is to be read anew. */
  readonly #arrived = new Map<string, BarRow[]>();
  /** Bars that arrived during each load under way. */
  readonly #heard = new Set<BarRow[]>();
  readonly #forming = new Map<string, BarRow>();
  readonly #minutes = new Map<string, BarRow[]>();
  readonly #daily = new Map<string, BarRow[]>();
  readonly #encodedForming = new WeakMap<BarRow, string>();
  readonly #delayed = new Map<string, { readonly minuteMs: number; readonly bar: BarRow | null }>();
  /** The present state of each series that was asked for; gone with its next change. */
  readonly #stamps = new Map<string, object>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Reads what prices are set beside: forming bars, the last days, and the minutes of the last one.
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
    this.#stamps.clear();
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
    const daily = await readBars(this.#store, { symbol, interval: "1d", fromMs: 0, toMs: nowMs, limit: 4 });
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
    for (const bar of bars) {
      this.#stamps.delete(nameOf(bar.symbol, bar.interval));
      this.#keep(bar);
      if (bar.isClosed) this.#append(nameOf(bar.symbol, bar.interval), bar);
    }
  }

  /** Keeps what prices and delayed views are made of. */
  #keep(bar: BarRow): void {
    this.#noteForming(bar);
    if (!bar.isClosed) return;
    if (bar.interval === "1m") keepLast(this.#minutes, bar, MINUTES_KEPT);
    if (bar.interval === "1d") keepLast(this.#daily, bar, 4);
  }

  /** A closed bar ends the forming one it grew from, and any before it. */
  #noteForming(bar: BarRow): void {
    const name = nameOf(bar.symbol, bar.interval);
    const forming = this.#forming.get(name);
    if (!bar.isClosed) this.#forming.set(name, bar);
    else if (forming && forming.barStartMs <= bar.barStartMs) this.#forming.delete(name);
  }

  /** Forgets every series read so far; each is read anew when next asked for. */
  forget(): void {
    this.#series.clear();
    this.#arrived.clear();
    this.#delayed.clear();
    this.#stamps.clear();
  }

  /** Forgets a series whose stored bars were replaced; it is read anew when next asked for. */
  async reload(symbol: string, nowMs: number): Promise<void> {
    this.#stamps.clear();
    for (const interval of INTERVALS) {
      this.#series.delete(nameOf(symbol, interval));
      this.#arrived.delete(nameOf(symbol, interval));
    }
    await this.load([symbol as BarSymbol], nowMs); // only stored series are named in events
  }

  #append(name: string, bar: BarRow): void {
    this.#arrived.get(name)?.push(bar);
    const series = this.#series.get(name);
    if (series && !takeClosed(series, bar)) this.#series.delete(name);
  }

  #seriesOf(symbol: BarSymbol, interval: Interval): Series | Promise<Series> {
    const name = nameOf(symbol, interval);
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
      const series: Series = { arena: loadClosed(encoded), newest: newest ?? null };
      const isCurrent = this.#arrived.get(name) === arrived;
      if (!isCurrent || !arrived.every((bar) => takeClosed(series, bar))) continue;
      this.#series.set(name, series);
      return series;
    }
  }

  /** How many closed bars of a series are in memory; none before it is asked for. */
  heldOf(symbol: BarSymbol, interval: Interval): number {
    return this.#series.get(nameOf(symbol, interval))?.arena.length ?? 0;
  }

  /**
   * The state of a series as callers without delay see it: the same object until a bar of it changes.
   * Take it before what is made from the series, so that a change meanwhile shows.
   */
  stampOf(symbol: BarSymbol, interval: Interval): object {
    const name = nameOf(symbol, interval);
    const known = this.#stamps.get(name);
    if (known) return known;
    const stamp = {};
    this.#stamps.set(name, stamp);
    return stamp;
  }

  /** One page, newest first. Waits only for the first reading of a series. */
  async page(query: BarQuery): Promise<EncodedPage> {
    const found = this.#seriesOf(query.symbol, query.interval);
    const series = found instanceof Promise ? await found : found;
    const { arena } = series;
    const lengthMs = INTERVAL_MS[query.interval];
    const lastClosedMs = Math.min(query.toMs, query.asOfMs - lengthMs);
    const forming = this.formingAt(query.symbol, query.interval, query.asOfMs);
    const shown =
      forming &&
      forming.barStartMs >= query.fromMs &&
      forming.barStartMs <= query.toMs &&
      forming.barStartMs > this.#newestClosed(arena, query.asOfMs, lengthMs)
        ? forming
        : null;
    const span = arena.page(query.fromMs, lastClosedMs, query.limit - (shown ? 1 : 0));
    const closedCount = Math.max(0, span.to - span.from + 1);
    return {
      forming: shown ? this.#encodeForming(shown) : null,
      closed: arena.slice(span),
      count: closedCount + (shown ? 1 : 0),
      oldestStartMs: closedCount > 0 ? arena.startAt(span.from) : (shown?.barStartMs ?? null),
      hasOlder:
        closedCount > 0 ? arena.hasOlder(span.from, query.fromMs) : shown !== null && arena.hasOlder(span.to + 1, query.fromMs),
      sourceId: (shown ?? series.newest)?.sourceId ?? null,
    };
  }

  #newestClosed(arena: BarArena, asOfMs: number, lengthMs: number): number {
    return Math.min(arena.newestStartMs, asOfMs - lengthMs);
  }

  /** The bar that was forming at an instant; Infinity means now. */
  formingAt(symbol: BarSymbol, interval: Interval, asOfMs: number): BarRow | null {
    if (asOfMs === Number.POSITIVE_INFINITY) return this.#forming.get(nameOf(symbol, interval)) ?? null;
    const minuteMs = bucketStart(asOfMs, "1m");
    const name = nameOf(symbol, interval);
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
    return (this.#forming.get(nameOf(symbol, "1m")) ?? this.#minutes.get(symbol)?.at(-1))?.barStartMs ?? null;
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
 * @returns false when it is older: the series has to be read anew
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

/** An arena of the closed bars; a forming one stands first and is left out. */
const loadClosed = ({ bytes, startsMs, lengths }: EncodedBars): BarArena => {
  let skipped = 0;
  let offset = 0;
  while (skipped < lengths.length) {
    const end = offset + (lengths[skipped] ?? 0);
    if (!FORMING.equals(bytes.subarray(end - FORMING.length, end))) break;
    offset = end + 1;
    skipped += 1;
  }
  return BarArena.load(bytes.subarray(offset), startsMs.subarray(skipped), lengths.subarray(skipped));
};

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
