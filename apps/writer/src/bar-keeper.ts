/** The forming bars of every series at all eight intervals, grown by ticks and closed by time. */
import { BAR_SYMBOLS, type DecimalText, INTERVALS } from "@assay/contract";
import { readBars, type Store } from "@assay/db";
import { REPORTED_DAYS } from "@assay/feeds";
import { aggregateBars, applyTick, type BarObservation, type BarRow, barEnd, bucketStart, closeDue } from "@assay/pricing";

/** Bars grown from composed ticks name this source, unless their feed is simulated. */
export const COMPOSED = "composed";

/** A bar that a source reported whole. */
export const barOf = (observation: BarObservation, nowMs: number): BarRow => {
  const { symbol, interval, barStartMs, open, high, low, close, volume, source } = observation;
  const isClosed = barEnd({ barStartMs, interval }) <= nowMs;
  return { symbol, interval, barStartMs, open, high, low, close, volume, isClosed, sourceId: source };
};

/** Keeps forming bars. */
export class BarKeeper {
  readonly #sourceId: string;
  readonly #forming = new Map<string, BarRow>();

  /** @param sourceId the source new bars name */
  constructor(sourceId: string) {
    this.#sourceId = sourceId;
  }

  /**
   * Restores what was forming when the last writer ended: the stored forming bars, and where one is missing, the bar made of
   * the stored minutes of its time so far.
   */
  async restore(store: Store, nowMs: number): Promise<void> {
    for (const symbol of [...BAR_SYMBOLS, ...REPORTED_DAYS]) {
      const minutes = await readBars(store, {
        symbol,
        interval: "1m",
        fromMs: bucketStart(nowMs, "1d"),
        toMs: nowMs,
        limit: 1_500,
      });
      const oldestFirst = minutes.toReversed();
      for (const interval of INTERVALS) {
        const [newest] = await readBars(store, { symbol, interval, fromMs: 0, toMs: nowMs, limit: 1 });
        if (newest && !newest.isClosed) this.put(newest);
        else if (interval !== "1m") {
          const startMs = bucketStart(nowMs, interval);
          if (newest && newest.barStartMs >= startMs) continue;
          const [rebuilt] = aggregateBars(
            oldestFirst.filter((bar) => bar.barStartMs >= startMs),
            interval,
          );
          if (rebuilt) this.put({ ...rebuilt, isClosed: false });
        }
      }
    }
  }

  /** Sets a forming bar, such as one that was backfilled. */
  put(bar: BarRow): void {
    this.#forming.set(`${bar.symbol} ${bar.interval}`, bar);
  }

  /**
   * Grows the bars of a series by a tick.
   * @returns the bars it changed: closed ones before the forming ones that follow them
   */
  take(symbol: string, tick: { readonly price: DecimalText; readonly volume?: DecimalText }, atMs: number): BarRow[] {
    const changed: BarRow[] = [];
    for (const interval of INTERVALS) {
      const name = `${symbol} ${interval}`;
      const step = applyTick(
        this.#forming.get(name) ?? null,
        { atMs, price: tick.price, ...(tick.volume === undefined ? {} : { volume: tick.volume }) },
        { symbol, interval, sourceId: this.#sourceId },
      );
      if (step.closed) changed.push(step.closed);
      this.#forming.set(name, step.forming);
      changed.push(step.forming);
    }
    return changed;
  }

  /** Closes the bars whose time is over. */
  closeDue(nowMs: number): BarRow[] {
    const closed: BarRow[] = [];
    for (const [name, bar] of this.#forming) {
      const done = closeDue(bar, nowMs);
      if (!done) continue;
      closed.push(done);
      this.#forming.delete(name);
    }
    return closed;
  }
}
