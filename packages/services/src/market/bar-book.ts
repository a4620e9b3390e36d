/** Every bar a caller can request, and no more: closed bars encoded once, plus the bar forming at the caller's instant. */
import {
  type BarSymbol,
  DAY_MS,
  INTERVAL_MS,
  INTERVALS,
  INTRADAY_DEPTH_DAYS,
  type Interval,
  type PageOrder,
} from "@assay/contract";
import {
  type EncodedBars,
  encodeBar,
  readBars,
  readEncodedBars,
  readHistoryGaps,
  readSourceChanges,
  readStandingPage,
  type SourceChange,
  type Store,
} from "@assay/db";
import { type BarRow, type HistoryGap, lacksBars } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";
import { FollowedByName } from "./followed.ts";
import { RecentBars, seriesName } from "./recent-bars.ts";
import { reachOf } from "./snapshot.ts";

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
  /** Newest first when left out. */
  readonly order?: PageOrder;
  /** The instant the caller sees; Infinity for a live one. */
  readonly asOfMs: number;
  /** The revision of the ledger that the walk through pages began at; null or left out on its first page. */
  readonly since?: number | null;
}

/** A page of encoded bars. */
export interface EncodedPage {
  readonly order: PageOrder;
  /** The forming bar, when it is part of the page. */
  readonly forming: string | null;
  /** Closed bars, joined by commas. */
  readonly closed: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Start of the last bar of the page; null when it is empty. */
  readonly lastStartMs: number | null;
  /** Whether the window has more behind it. */
  readonly hasMore: boolean;
  /** Start of the newest bar that its window has, or a later instant. */
  readonly endMs: number;
  readonly sourceId: string | null;
  /** False while bars of it are still being filled in. */
  readonly isComplete: boolean;
  /** The revision of the ledger that it is a snapshot of. */
  readonly revision: number;
}

/** Its bars as rows of an `EncodedList`. */
export const rowsOf = ({
  forming,
  closed,
  order,
}: Pick<EncodedPage, "forming" | "closed" | "order">): readonly Uint8Array<ArrayBuffer>[] => {
  if (forming === null) return [closed];
  if (closed.length === 0) return [Buffer.from(forming)];
  return order === "desc" ? [Buffer.from(`${forming},`), closed] : [Buffer.concat([closed, Buffer.from(`,${forming}`)])];
};

interface Series {
  arena: BarArena;
  /** Since this revision bars were only appended. */
  unchangedSince: number;
  /** The newest revision that is in it. */
  revision: number;
  /** Where its bars come from, oldest first. */
  readonly sources: SourceChange[];
}

/** A closed bar, and its revision if its writer named one. */
interface ArrivedBar {
  readonly bar: BarRow;
  readonly revision: number | undefined;
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
  readonly #series = new FollowedByName<Series, ArrivedBar>((series, arrived) => takeClosed(series, arrived));
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
   */
  async load(symbols: readonly BarSymbol[], nowMs: number): Promise<void> {
    await this.#recent.load(symbols, nowMs);
    this.#stamps.clear();
  }

  apply(bars: readonly BarRow[], revision?: number): void {
    this.#recent.apply(bars);
    for (const bar of bars) {
      this.#stamps.delete(seriesName(bar.symbol, bar.interval));
      if (bar.isClosed) this.#series.apply(seriesName(bar.symbol, bar.interval), { bar, revision });
    }
  }

  /** Drops every loaded series; each is reloaded when next requested. */
  forget(): void {
    this.#series.forget();
    this.#stamps.clear();
  }

  /** Drops a series whose stored bars were replaced; it is reloaded when next requested. */
  async reload(symbol: string, nowMs: number): Promise<void> {
    this.#drop(symbol);
    await this.load([symbol as BarSymbol], nowMs); // events name stored series only
  }

  #drop(symbol: string): void {
    this.#stamps.clear();
    for (const interval of INTERVALS) this.#series.forget(seriesName(symbol, interval));
  }

  #seriesOf(symbol: BarSymbol, interval: Interval): Series | Promise<Series> {
    return this.#series.of(seriesName(symbol, interval), async () => {
      const [newest] = await readBars(this.#store, { symbol, interval, fromMs: 0, toMs: END_OF_TIME_MS, limit: 1 });
      const sinceMs = newest && interval !== "1d" ? newest.barStartMs - REACH_MS : undefined;
      const [encoded, sources] = await Promise.all([
        readEncodedBars(this.#store, symbol, interval, sinceMs),
        readSourceChanges(this.#store, symbol, interval, sinceMs),
      ]);
      const { revision } = encoded;
      return { arena: loadArena(encoded), unchangedSince: revision, revision, sources };
    });
  }

  /** The number of closed bars of a series in memory; 0 before it is requested. */
  heldOf(symbol: BarSymbol, interval: Interval): number {
    return this.#series.known(seriesName(symbol, interval))?.arena.length ?? 0;
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

  /** One page. Waits only for the first load of a series. */
  async page(query: BarQuery): Promise<EncodedPage> {
    const { symbol, interval, asOfMs, limit, since = null, order = "desc" } = query;
    const found = this.#seriesOf(symbol, interval);
    const series = found instanceof Promise ? await found : found;
    const lengthMs = INTERVAL_MS[interval];
    const forming = this.#recent.formingAt(symbol, interval, asOfMs);
    const newest =
      forming &&
      forming.barStartMs >= query.fromMs &&
      forming.barStartMs <= query.toMs &&
      forming.barStartMs > this.#newestClosed(series.arena, asOfMs, lengthMs)
        ? forming
        : null;
    const isFirst = newest !== null && order === "desc";
    const window = { ...query, toMs: Math.min(query.toMs, asOfMs - lengthMs), limit: isFirst ? limit - 1 : limit, order };
    const closed =
      since !== null && since < series.unchangedSince ? await this.pageAt(window, since) : closedPage(series, window, since);
    // Oldest first it comes last, on a page that has room for it.
    const shown = isFirst || (!closed.hasMore && closed.count < limit) ? newest : null;
    const hasMore = closed.hasMore || newest !== shown;
    const lastStartMs = (isFirst ? closed.lastStartMs : null) ?? shown?.barStartMs ?? closed.lastStartMs;
    return {
      ...closed,
      forming: shown ? encodeBar(shown) : null,
      count: closed.count + (shown ? 1 : 0),
      lastStartMs,
      hasMore,
      endMs: newest?.barStartMs ?? closed.endMs,
      sourceId: shown?.sourceId ?? closed.sourceId,
      isComplete: this.isComplete(hasMore && lastStartMs !== null ? { ...query, ...reachOf(order, lastStartMs) } : query),
    };
  }

  /** One page of closed bars as they stood at a revision, from the store. */
  async pageAt({ order = "desc", ...window }: Omit<BarQuery, "asOfMs">, revision: number): Promise<EncodedPage> {
    const { bytes, ...page } = await readStandingPage(this.#store, { ...window, order, revision });
    return { order, forming: null, closed: bytes, ...page, endMs: window.toMs, isComplete: true, revision };
  }

  #newestClosed(arena: BarArena, asOfMs: number, lengthMs: number): number {
    return Math.min(arena.newestStartMs, asOfMs - lengthMs);
  }
}

/** Where the bar that starts at an instant comes from; null when there is none. */
const sourceAt = ({ sources }: Series, startMs: number): string | null =>
  sources.findLast((change) => change.startMs <= startMs)?.sourceId ?? null;

/** One page of closed bars, from memory. */
const closedPage = (series: Series, { fromMs, toMs, limit, order }: BarQuery, since: number | null): EncodedPage => {
  const { arena } = series;
  const span = arena.page(fromMs, toMs, limit, order);
  const count = Math.max(0, span.to - span.from + 1);
  return {
    order: span.order,
    forming: null,
    closed: arena.slice(span),
    count,
    lastStartMs: count === 0 ? null : arena.startAt(span.order === "desc" ? span.from : span.to),
    hasMore: span.hasMore,
    endMs: Math.min(toMs, arena.newestStartMs),
    sourceId: sourceAt(series, count > 0 ? arena.startAt(span.to) : END_OF_TIME_MS),
    isComplete: true,
    revision: since ?? series.revision,
  };
};

const noteSource = (sources: SourceChange[], { barStartMs, sourceId }: BarRow): void => {
  if (sources.at(-1)?.startMs === barStartMs) sources.pop();
  if (sources.at(-1)?.sourceId !== sourceId) sources.push({ startMs: barStartMs, sourceId });
};

/**
 * Adds a closed bar to a series, or corrects its newest.
 * @returns false when it is older: the series must be reloaded
 */
const takeClosed = (series: Series, { bar, revision }: ArrivedBar): boolean => {
  const newestMs = series.arena.newestStartMs;
  if (!series.arena.append(bar.barStartMs, encodeBar(bar))) return false;
  noteSource(series.sources, bar);
  if (bar.barStartMs === newestMs) series.unchangedSince = revision ?? Number.POSITIVE_INFINITY;
  series.revision = Math.max(series.revision, revision ?? 0);
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
