/**
 * Whole days of files that go into the store while the files are still being checked, by one COPY that is ended only when
 * every file is found good. It takes days the store holds nothing of, and that are over, so that nobody waits for its end.
 */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarCopy, firstBarFrom, openBarCopy, type Store } from "@assay/db";
import { type BarRow, bucketStart } from "@assay/pricing";
import type { FileSummary } from "./check-file.ts";
import { coarserBars, coarserIntervals } from "./coarser.ts";
import { covers } from "./edge-day.ts";
import type { BarSource, FileRow } from "./read-bars.ts";
import { toStored } from "./stored.ts";

const DAY_MS = INTERVAL_MS["1d"];

/** What the copy takes of a file. */
export interface TakenDays {
  /** From the first instant of the first day to the first one after the last day. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Rows of the file. */
  readonly rows: number;
  /** Bars by interval, coarser ones among them. */
  readonly written: ReadonlyMap<Interval, number>;
  /** The file's other rows, where they are but its first and last day; null when it has to be read for them again. */
  readonly rest: readonly BarRow[] | null;
}

/** Of a file of which nothing is taken. */
export const NOTHING_TAKEN: TakenDays = { fromMs: 0, untilMs: 0, rows: 0, written: new Map(), rest: null };

/** How the files are to be imported. */
export interface CopyOptions {
  readonly isLastForming: boolean;
  readonly isAggregating: boolean;
  /** Whether what the files' time held is taken out first: then nothing may be in before that. */
  readonly isReplacing?: boolean | undefined;
}

/** Takes a file's days while it is checked. */
export interface FileTaker {
  /** The file's next rows. */
  take(rows: readonly FileRow[]): Promise<void>;
  /** The file is good. */
  end(summary: FileSummary): Promise<TakenDays>;
}

/** The copy of one import, over all of its files. */
export class DayCopy {
  readonly #store: Store;
  readonly #options: CopyOptions;
  #copy: BarCopy | null = null;
  #isTaking: boolean;
  #isSpoilt = false;
  /** The last row of all files so far: what follows must be later, or files would not be written in their order. */
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, options: CopyOptions) {
    this.#store = store;
    this.#options = options;
    this.#isTaking = store.copyInto !== null && !options.isReplacing;
  }

  /** Begins a file, once the one before has ended. */
  file(source: BarSource): FileTaker {
    const { interval, symbol, nowMs } = source;
    const isAggregating = this.#options.isAggregating && interval !== "1d";
    const intervals = isAggregating ? [interval, ...coarserIntervals(interval)] : [interval];
    const written = new Map<Interval, number>();
    let [fromMs, untilMs, taken] = [0, 0, 0];
    let firstMs = Number.NaN;
    /** No day from here on is taken. */
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
    /** @param endMs where the file's rows of the day end, as far as that is known */
    const settle = async (endMs: number, isLast: boolean): Promise<void> => {
      const isPart = isAggregating && !covers({ fromMs: firstMs, untilMs: endMs }, dayMs, DAY_MS);
      if (isPart || (isLast && this.#options.isLastForming)) return void edges?.push(...day);
      if (dayMs + DAY_MS > limitMs) return stop();
      if (taken === 0) fromMs = dayMs;
      untilMs = dayMs + DAY_MS;
      taken += day.length;
      const coarser = isAggregating ? coarserBars(day, nowMs).values() : [];
      for (const bars of [day, ...coarser]) {
        await this.#send(bars.map(toStored));
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
            if (day.length > 0) await settle(Number.POSITIVE_INFINITY, false);
            [dayMs, day] = [bucketStart(bar.barStartMs, "1d"), []];
          }
          day.push(bar);
        }
      },
      end: async ({ isAscending, lastStartMs }) => {
        // Some rows of days that were taken may stand behind.
        if (!isAscending && taken > 0) this.#isSpoilt = true;
        if (this.#isTaking && day.length > 0) await settle(lastStartMs + INTERVAL_MS[interval], true);
        return { fromMs, untilMs, rows: taken, written, rest: edges };
      },
    };
  }

  async #send(bars: readonly BarRow[]): Promise<void> {
    this.#copy ??= await openBarCopy(this.#store);
    // What is refused is told at the end.
    await this.#copy?.add(bars);
  }

  /**
   * Every file is good.
   * @returns whether what was taken of them is in; when not, nothing of it is
   */
  async finish(): Promise<boolean> {
    if (this.#isSpoilt) {
      await this.abandon();
      return false;
    }
    return this.#copy === null || this.#copy.finish();
  }

  /** Nothing of it is in. */
  async abandon(): Promise<void> {
    await this.#copy?.abandon();
  }
}
