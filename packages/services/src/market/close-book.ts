/** Daily closes of each series in memory, for whatever is made of them: ratios and crosses. */
import { type DailyClose, readCloses, type Store } from "@assay/db";
import { type BarRow, partitionPoint } from "@assay/pricing";
import { FollowedByName } from "./followed.ts";

/** Inserts or replaces a close; returns whether anything changed. */
const put = (closes: DailyClose[], close: DailyClose): boolean => {
  const place = partitionPoint(closes, ({ dayStartMs }) => dayStartMs < close.dayStartMs);
  const known = closes[place];
  if (known?.dayStartMs !== close.dayStartMs) closes.splice(place, 0, close);
  else if (known.close === close.close) return false;
  else closes[place] = close;
  return true;
};

/** The closes of a series, and which state of the store they are. */
export interface SeriesCloses {
  /** Oldest first. */
  readonly closes: readonly DailyClose[];
  /** Since this revision closes were only appended. */
  readonly unchangedSince: number;
  /** The newest revision that is in them. */
  readonly revision: number;
}

interface Series extends SeriesCloses {
  readonly symbol: string;
  readonly closes: DailyClose[];
  unchangedSince: number;
  revision: number;
}

/** A close, and its revision if its writer named one. */
interface ArrivedClose {
  readonly close: DailyClose;
  readonly revision: number | undefined;
}

/** Adds a close to those of its series; returns whether anything changed. */
const take = (series: Series, { close, revision }: ArrivedClose): boolean => {
  const isNewer = close.dayStartMs > (series.closes.at(-1)?.dayStartMs ?? Number.NEGATIVE_INFINITY);
  if (!put(series.closes, close)) return false;
  if (!isNewer) series.unchangedSince = revision ?? Number.POSITIVE_INFINITY;
  series.revision = Math.max(series.revision, revision ?? 0);
  return true;
};

/** Closes of settled days by series: loaded from the store when first requested, and kept up to date by events. */
export class CloseBook {
  readonly #store: Store;
  readonly #listeners: ((symbol: string) => void)[] = [];
  readonly #series = new FollowedByName<Series, ArrivedClose>((series, arrived) => {
    if (take(series, arrived)) this.#changed(series.symbol);
    return true;
  });

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls a listener with each series whose closes differ from those returned before. */
  onChange(listener: (symbol: string) => void): void {
    this.#listeners.push(listener);
  }

  apply(bars: readonly BarRow[], revision?: number): void {
    for (const { symbol, interval, isClosed, barStartMs, close } of bars)
      if (interval === "1d" && isClosed) this.#series.apply(symbol, { close: { dayStartMs: barStartMs, close }, revision });
  }

  #changed(symbol: string): void {
    for (const listener of this.#listeners) listener(symbol);
  }

  /** Drops one series, or all of them; each is reloaded when next requested. */
  forget(symbol?: string): void {
    for (const each of this.#series.forget(symbol)) this.#changed(each);
  }

  /** Those of a series; returned synchronously once loaded. */
  of(symbol: string): SeriesCloses | Promise<SeriesCloses> {
    return this.#series.of(symbol, async () => {
      const { closes, revision } = await readCloses(this.#store, symbol);
      return { symbol, closes, unchangedSince: revision, revision };
    });
  }
}
