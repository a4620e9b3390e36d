/** Writes what remains of a checked file: its bars, and the coarser ones built from them. */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import type { Clock } from "@assay/ports";
import { type BarRow, bucketStart } from "@assay/pricing";
import type { FileSummary } from "../check/check-file.ts";
import { type BarSource, type FileRow, readFileBars } from "../read/read-bars.ts";
import { coarserBars, toStored } from "../stored-bars.ts";
import type { TakenDays } from "./copy-days.ts";
import { type Coverage, covers, stillGrows, writeDay } from "./edge-day.ts";

/** Bars written together: the most one transaction of the store accepts. */
const CHUNK = 20_000;

export interface FileWrite {
  readonly store: Store;
  readonly source: BarSource;
  readonly summary: FileSummary;
  /** The digest of the checked bytes. */
  readonly digest: string;
  /** What is already in the store. */
  readonly taken: TakenDays;
  /** Whether coarser bars are built. */
  readonly isAggregating: boolean;
  /** Called with rows as they are written. */
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Bars written by interval, shortest first. */
export type Written = ReadonlyMap<Interval, number>;

/** The file's bars not yet written, in time order. */
async function* inOrder(write: FileWrite): AsyncGenerator<readonly BarRow[]> {
  const { source, summary, digest, taken, signal } = write;
  if (taken.rest) return yield taken.rest;
  const isLeft = ({ bar }: FileRow): boolean => bar.barStartMs < taken.fromMs || bar.barStartMs >= taken.untilMs;
  const unsorted: BarRow[] = [];
  for await (const batch of readFileBars(source, { digest, signal })) {
    const bars = batch.filter(isLeft).map(({ bar }) => bar);
    if (summary.isAscending) yield bars;
    else unsorted.push(...bars);
  }
  if (unsorted.length > 0) yield unsorted.sort((a, b) => a.barStartMs - b.barStartMs);
}

/** The same, a UTC day at a time. */
export async function* byDay(write: FileWrite): AsyncGenerator<readonly BarRow[]> {
  let day: BarRow[] = [];
  let dayMs = Number.NaN;
  for await (const bars of inOrder(write)) {
    for (const bar of bars) {
      const startMs = bucketStart(bar.barStartMs, "1d");
      if (startMs !== dayMs && day.length > 0) {
        yield day;
        day = [];
      }
      dayMs = startMs;
      day.push(bar);
    }
  }
  if (day.length > 0) yield day;
}

/**
 * Writes what remains of a checked file. It may be interrupted at any point and repeated: existing bars are kept, and the
 * file's first and last day, or one still in progress, are written entirely or not at all.
 * @returns the number of bars in the store, and how many of them existed before
 */
export const writeFile = async (write: FileWrite): Promise<Written> => {
  const { store, source, summary, taken, isAggregating, onRows, signal, clock } = write;
  const { interval, nowMs } = source;
  const coverage: Coverage = { fromMs: summary.firstStartMs, untilMs: summary.lastStartMs + INTERVAL_MS[interval] };
  const written = new Map(taken.written);
  const count = (bars: readonly BarRow[]): void => {
    for (const bar of bars) written.set(bar.interval, (written.get(bar.interval) ?? 0) + 1);
  };
  const coarser = isAggregating && interval !== "1d";
  let chunk: BarRow[] = [];
  let rows = 0;
  let inFlight: Promise<void> = Promise.resolve();
  /** Writes the current batch; the next rows are read while the database works. */
  const flush = async (): Promise<void> => {
    const [bars, ofRows] = [chunk, rows];
    [chunk, rows] = [[], 0];
    await inFlight;
    inFlight = upsertBars(store, bars).then(() => {
      count(bars);
      onRows(ofRows);
    });
    // Awaited in a later turn; until then a rejection must not count as unhandled.
    inFlight.catch(() => {});
  };
  if (taken.rows > 0) onRows(taken.rows);
  signal.throwIfAborted();
  try {
    for await (const day of byDay(write)) {
      const dayMs = bucketStart(day[0]?.barStartMs ?? 0, "1d");
      rows += day.length;
      if (stillGrows(dayMs, clock()) || (coarser && !covers(coverage, dayMs, DAY_MS))) {
        count(await writeDay(day, { store, coverage, isAggregating: coarser, clock }));
        continue;
      }
      for (const bar of day) chunk.push(toStored(bar));
      if (coarser) for (const bars of coarserBars(day, nowMs).values()) for (const bar of bars) chunk.push(toStored(bar));
      if (chunk.length >= CHUNK) await flush();
    }
    await flush();
  } finally {
    await inFlight;
  }
  return written;
};
