/** Closes of settled days by series: loaded from the store when first requested, and kept up to date by events. */
import { type DailyClose, readDailyCloses, type Store } from "@assay/db";
import type { BarRow } from "@assay/pricing";

/** The index of a day in time-ordered closes, or where it would be inserted. */
const placeOf = (closes: readonly DailyClose[], dayStartMs: number): number => {
  let low = 0;
  let high = closes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((closes[middle]?.dayStartMs ?? Number.POSITIVE_INFINITY) < dayStartMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Inserts or replaces a close; returns whether anything changed. */
const put = (closes: DailyClose[], close: DailyClose): boolean => {
  const place = placeOf(closes, close.dayStartMs);
  const known = closes[place];
  if (known?.dayStartMs !== close.dayStartMs) closes.splice(place, 0, close);
  else if (known.close === close.close) return false;
  else closes[place] = close;
  return true;
};

/** Closes by series. */
export class CloseBook {
  readonly #store: Store;
  readonly #onChange: (symbol: string) => void;
  readonly #closes = new Map<string, DailyClose[]>();
  readonly #loading = new Map<string, Promise<readonly DailyClose[]>>();
  /** Closes that arrived while their series was being loaded; removed when the series must be reloaded. */
  readonly #arrived = new Map<string, DailyClose[]>();

  /** @param onChange called with each series whose closes differ from those returned before */
  constructor(store: Store, onChange: (symbol: string) => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Applies bars as they were written. */
  apply(bars: readonly BarRow[]): void {
    for (const bar of bars) {
      if (bar.interval !== "1d" || !bar.isClosed) continue;
      const close: DailyClose = { dayStartMs: bar.barStartMs, close: bar.close };
      this.#arrived.get(bar.symbol)?.push(close);
      const known = this.#closes.get(bar.symbol);
      if (known && put(known, close)) this.#onChange(bar.symbol);
    }
  }

  /** Drops one series, or all of them; each is reloaded when next requested. */
  forget(symbol?: string): void {
    const symbols = symbol === undefined ? new Set([...this.#closes.keys(), ...this.#arrived.keys()]) : [symbol];
    for (const each of symbols) {
      this.#closes.delete(each);
      this.#arrived.delete(each);
      this.#onChange(each);
    }
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
      const arrived: DailyClose[] = [];
      this.#arrived.set(symbol, arrived);
      const closes = await readDailyCloses(this.#store, symbol);
      if (this.#arrived.get(symbol) !== arrived) continue;
      for (const close of arrived) put(closes, close);
      this.#closes.set(symbol, closes);
      return closes;
    }
  }
}
