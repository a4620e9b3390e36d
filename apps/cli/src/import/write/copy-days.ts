/**
 * Copies whole days into the store while the files are still being checked, in one COPY that is completed only when every file
 * is valid. It takes past days for which the store has no bars, so that no one waits for it.
 */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarCopy, firstBarFrom, openBarCopy, type Store } from "@assay/db";
import { type BarRow, bucketStart } from "@assay/pricing";
import type { FileSummary } from "../check/check-file.ts";
import type { BarSource, FileRow } from "../read/read-bars.ts";
import { coarserBars, coarserIntervals, covers, toStored, type Written } from "../stored-bars.ts";

export interface TakenDays {
  /** From the start of the first day to the end of the last day, exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly rows: number;
  /** Bars by interval, including coarser ones. */
  readonly written: Written;
  /** The file's other rows, when they are only its first and last day; null when the file must be read again for them. */
  readonly rest: readonly BarRow[] | null;
}

/** The result for a file nothing was taken from. */
export const NOTHING_TAKEN: TakenDays = { fromMs: 0, untilMs: 0, rows: 0, written: new Map(), rest: null };

interface CopyOptions {
  readonly isAggregating: boolean;
  /** Whether the bars in the files' time range are removed first: then nothing may be copied before that. */
  readonly isReplacing?: boolean | undefined;
}

/** Takes a file's days while it is checked. */
interface FileCopy {
  /** Receives the file's next rows. */
  take(rows: readonly FileRow[]): Promise<void>;
  /** The file is valid. */
  end(summary: FileSummary): Promise<TakenDays>;
}

/** The copy of one import, across all of its files. */
export class DayCopy {
  readonly #store: Store;
  readonly #options: CopyOptions;
  #copy: BarCopy | null = null;
  #isTaking: boolean;
  #isSpoilt = false;
  /** The last row of all files so far: later rows must follow it, or files would be written out of order. */
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, options: CopyOptions) {
    this.#store = store;
    this.#options = options;
    this.#isTaking = store.copyInto !== null && !options.isReplacing;
  }

  /** Starts a file, once the previous one has ended. */
  file(source: BarSource): FileCopy {
    const { interval, symbol, nowMs } = source;
    const isAggregating = this.#options.isAggregating && interval !== "1d";
    const intervals = isAggregating ? [interval, ...coarserIntervals(interval)] : [interval];
    const written = new Map<Interval, number>();
    let [fromMs, untilMs, taken] = [0, 0, 0];
    let firstMs = Number.NaN;
    /** No day from this one on is taken. */
    let limitMs = 0;
    let dayMs = Number.NaN;
    let day: BarRow[] = [];
    let edges: BarRow[] | null = this.#isTaking ? [] : null;

    const begin = async (startMs: number): Promise<void> => {
      firstMs = startMs;
      const standingMs = await firstBarFrom(this.#store, symbol, intervals, bucketStart(startMs, "1d"));
      limitMs = Math.min(standingMs ?? Number.POSITIVE_INFINITY, bucketStart(nowMs, "1d"));
    };
    const stop = (): void => {
      this.#isTaking = false;
      edges = null;
    };
    /** @param endMs where the file's rows of the day end, as far as known */
    const settle = async (endMs: number): Promise<void> => {
      const isPart = isAggregating && !covers({ fromMs: firstMs, untilMs: endMs }, dayMs, DAY_MS);
      if (isPart) return void edges?.push(...day);
      if (dayMs + DAY_MS > limitMs) return stop();
      if (taken === 0) fromMs = dayMs;
      untilMs = dayMs + DAY_MS;
      taken += day.length;
      const coarser = isAggregating ? coarserBars(day, nowMs).values() : [];
      for (const bars of [day, ...coarser]) {
        await this.#send(bars);
        const each = bars[0]?.interval ?? interval;
        written.set(each, (written.get(each) ?? 0) + bars.length);
      }
    };

    return {
      take: async (rows) => {
        for (const { bar } of rows) {
          if (!this.#isTaking) return;
          if (bar.barStartMs <= this.#lastMs) return stop();
          this.#lastMs = bar.barStartMs;
          if (Number.isNaN(firstMs)) await begin(bar.barStartMs);
          if (bar.barStartMs >= dayMs + DAY_MS || day.length === 0) {
            if (day.length > 0) await settle(Number.POSITIVE_INFINITY);
            [dayMs, day] = [bucketStart(bar.barStartMs, "1d"), []];
          }
          day.push(toStored(bar));
        }
      },
      end: async ({ isAscending, lastStartMs }) => {
        // Some rows of the days taken may come later in the file.
        if (!isAscending && taken > 0) this.#isSpoilt = true;
        if (this.#isTaking && day.length > 0) await settle(lastStartMs + INTERVAL_MS[interval]);
        return { fromMs, untilMs, rows: taken, written, rest: edges };
      },
    };
  }

  async #send(bars: readonly BarRow[]): Promise<void> {
    this.#copy ??= await openBarCopy(this.#store);
    // The error is reported at the end.
    await this.#copy?.add(bars);
  }

  /**
   * Called when every file is valid.
   * @returns whether the copied days are committed; if not, none of them are
   */
  async finish(): Promise<boolean> {
    if (this.#isSpoilt) {
      await this.abandon();
      return false;
    }
    return this.#copy === null || this.#copy.finish();
  }

  /** Rolls the copy back. */
  async abandon(): Promise<void> {
    await this.#copy?.abandon();
  }
}
