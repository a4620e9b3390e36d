/** Daily closes of each series in memory, for whatever is made of them: ratios and crosses. */
import { type DailyClose, readCloses, type Store } from "@assay/db";
import { type BarRow, partitionPoint } from "@assay/pricing";

/** Inserts or replaces a close; returns whether anything changed. */
const put = (closes: DailyClose[], close: DailyClose): boolean => {
  const place = partitionPoint(closes, ({ dayStartMs }) => dayStartMs < close.dayStartMs);
  const known = closes[place];
  if (known?.dayStartMs !== close.dayStartMs) closes.splice(place, 0, close);
  else if (known.close === close.close) return false;
  else closes[place] = close;
  return true;
};

/** The state of the store that the closes of a series are. */
export interface ClosesSnapshot {
  /** Since this revision closes were only appended. */
  readonly unchangedSince: number;
  /** The newest revision that is in them. */
  readonly revision: number;
}

const UNKNOWN: ClosesSnapshot = { unchangedSince: Number.POSITIVE_INFINITY, revision: 0 };

/** A close, and its revision if its writer named one. */
interface ArrivedClose {
  readonly close: DailyClose;
  readonly revision: number | undefined;
}

/** Closes of settled days by series: loaded from the store when first requested, and kept up to date by events. */
export class CloseBook {
  readonly #store: Store;
  readonly #listeners: ((symbol: string) => void)[] = [];
  readonly #closes = new Map<string, DailyClose[]>();
  readonly #snapshots = new Map<string, ClosesSnapshot>();
  readonly #loading = new Map<string, Promise<readonly DailyClose[]>>();
  /** Closes that arrived while their series was being loaded; removed when the series must be reloaded. */
  readonly #arrived = new Map<string, ArrivedClose[]>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls a listener with each series whose closes differ from those returned before. */
  onChange(listener: (symbol: string) => void): void {
    this.#listeners.push(listener);
  }

  apply(bars: readonly BarRow[], revision?: number): void {
    for (const bar of bars) {
      if (bar.interval !== "1d" || !bar.isClosed) continue;
      const arrived: ArrivedClose = { close: { dayStartMs: bar.barStartMs, close: bar.close }, revision };
      this.#arrived.get(bar.symbol)?.push(arrived);
      const known = this.#closes.get(bar.symbol);
      if (known && this.#take(bar.symbol, known, arrived)) this.#changed(bar.symbol);
    }
  }

  /** Adds a close to those of its series; returns whether anything changed. */
  #take(symbol: string, closes: DailyClose[], { close, revision }: ArrivedClose): boolean {
    const isNewer = close.dayStartMs > (closes.at(-1)?.dayStartMs ?? Number.NEGATIVE_INFINITY);
    if (!put(closes, close)) return false;
    const before = this.snapshotOf(symbol);
    this.#snapshots.set(symbol, {
      unchangedSince: isNewer ? before.unchangedSince : (revision ?? Number.POSITIVE_INFINITY),
      revision: Math.max(before.revision, revision ?? 0),
    });
    return true;
  }

  #changed(symbol: string): void {
    for (const listener of this.#listeners) listener(symbol);
  }

  /** Drops one series, or all of them; each is reloaded when next requested. */
  forget(symbol?: string): void {
    const symbols = symbol === undefined ? new Set([...this.#closes.keys(), ...this.#arrived.keys()]) : [symbol];
    for (const each of symbols) {
      this.#closes.delete(each);
      this.#arrived.delete(each);
      this.#changed(each);
    }
  }

  /** Which state of the store the closes of a loaded series are. */
  snapshotOf(symbol: string): ClosesSnapshot {
    return this.#snapshots.get(symbol) ?? UNKNOWN;
  }

  /** The closes of a series, oldest first; returned synchronously once loaded. */
  of(symbol: string): readonly DailyClose[] | Promise<readonly DailyClose[]> {
    const known = this.#closes.get(symbol) ?? this.#loading.get(symbol);
    if (known) return known;
    const loading = this.#read(symbol).finally(() => {
      this.#loading.delete(symbol);
      this.#arrived.delete(symbol);
    });
    this.#loading.set(symbol, loading);
    return loading;
  }

  async #read(symbol: string): Promise<readonly DailyClose[]> {
    for (;;) {
      const arrived: ArrivedClose[] = [];
      this.#arrived.set(symbol, arrived);
      const { closes, revision } = await readCloses(this.#store, symbol);
      if (this.#arrived.get(symbol) !== arrived) continue;
      this.#snapshots.set(symbol, { unchangedSince: revision, revision });
      for (const each of arrived) this.#take(symbol, closes, each);
      this.#closes.set(symbol, closes);
      return closes;
    }
  }
}
