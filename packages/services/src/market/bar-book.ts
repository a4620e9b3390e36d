/** Every bar a caller can reach, and no more: closed ones encoded once, and before them the forming one of the instant the caller sees. */
import { type BarSymbol, INTERVAL_MS, INTERVALS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import { type EncodedBars, encodeBar, readBars, readEncodedBars, type Store } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";
import { RecentBars } from "./recent-bars.ts";
import { seriesName } from "./series-name.ts";

const DAY_MS = INTERVAL_MS["1d"];
/** Of intervals below a day no caller sees more than their depth, which begins with a whole day: so much is kept, with a day to spare. */
const REACH_MS = (INTRADAY_DEPTH_DAYS + 2) * DAY_MS;
/** A series is cut back once it has grown by so much more. */
const SLACK_MS = DAY_MS;

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

interface Series {
  arena: BarArena;
  /** The newest closed bar that was heard of or read. */
  newest: BarRow | null;
}

/** Later than any bar, and a date every engine can write. */
const END_OF_TIME_MS = Date.UTC(9999, 0, 1);

/**
 * Bars of all series; a series is read from the store when it is first asked for, and kept by events from then on. Below a day
 * that is the depth every tier has, however much the store holds.
 */
export class BarBook {
  readonly #store: Store;
  readonly #recent: RecentBars;
  readonly #series = new Map<string, Series>();
  readonly #loading = new Map<string, Promise<Series>>();
  /** Closed bars that arrived while their series was being read; taken away when what is read is to be read anew. */
  readonly #arrived = new Map<string, BarRow[]>();
  readonly #encodedForming = new WeakMap<BarRow, string>();
  /** The present state of each series that was asked for; gone with its next change. */
  readonly #stamps = new Map<string, object>();

  constructor(store: Store) {
    this.#store = store;
    this.#recent = new RecentBars(store);
  }

  /** What prices are set beside. */
  get recent(): Pick<RecentBars, "daily" | "newestMinuteMs" | "lastBefore"> {
    return this.#recent;
  }

  /**
   * Reads what prices are set beside: forming bars, the last days, and the minutes of the last one.
   * @param symbols the series
   * @param nowMs now
   */
  async load(symbols: readonly BarSymbol[], nowMs: number): Promise<void> {
    await this.#recent.load(symbols, nowMs);
    this.#stamps.clear();
  }

  /** Takes in bars as they were written. */
  apply(bars: readonly BarRow[]): void {
    this.#recent.apply(bars);
    for (const bar of bars) {
      this.#stamps.delete(seriesName(bar.symbol, bar.interval));
      if (bar.isClosed) this.#append(seriesName(bar.symbol, bar.interval), bar);
    }
  }

  /** Forgets every series read so far; each is read anew when next asked for. */
  forget(): void {
    this.#series.clear();
    this.#arrived.clear();
    this.#recent.forgetDelayed();
    this.#stamps.clear();
  }

  /** Forgets a series whose stored bars were replaced; it is read anew when next asked for. */
  async reload(symbol: string, nowMs: number): Promise<void> {
    this.#stamps.clear();
    for (const interval of INTERVALS) {
      this.#series.delete(seriesName(symbol, interval));
      this.#arrived.delete(seriesName(symbol, interval));
    }
    await this.load([symbol as BarSymbol], nowMs); // only stored series are named in events
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
      const series: Series = { arena: loadClosed(encoded), newest: newest ?? null };
      const isCurrent = this.#arrived.get(name) === arrived;
      if (!isCurrent || !arrived.every((bar) => takeClosed(series, bar))) continue;
      this.#series.set(name, series);
      return series;
    }
  }

  /** How many closed bars of a series are in memory; none before it is asked for. */
  heldOf(symbol: BarSymbol, interval: Interval): number {
    return this.#series.get(seriesName(symbol, interval))?.arena.length ?? 0;
  }

  /**
   * The state of a series as callers without delay see it: the same object until a bar of it changes.
   * Take it before what is made from the series, so that a change meanwhile shows.
   */
  stampOf(symbol: BarSymbol, interval: Interval): object {
    const name = seriesName(symbol, interval);
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
