/** The second reading of a file: its bars, and the coarser ones they come to, into the store. */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { type BarRow, bucketStart } from "@assay/pricing";
import type { FileSummary } from "./check-file.ts";
import { coarserBars } from "./coarser.ts";
import { type Coverage, covers, writeEdgeDay } from "./edge-day.ts";
import { type BarSource, readFileBars } from "./read-bars.ts";
import { toStored } from "./stored.ts";

const DAY_MS = INTERVAL_MS["1d"];
/** Bars written together: what one transaction of the store takes. */
const CHUNK = 20_000;

/** A checked file on its way into the store. */
export interface FileWrite {
  readonly store: Store;
  readonly source: BarSource;
  readonly summary: FileSummary;
  /** The digest of the bytes that were checked. */
  readonly digest: string;
  /** Whether the newest bar was forming when the file was made, though its time is over. */
  readonly isLastForming: boolean;
  /** Whether coarser bars are built. */
  readonly isAggregating: boolean;
  /** Hears of rows as they are written. */
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
}

/** Bars written by interval, shortest first. */
export type Written = ReadonlyMap<Interval, number>;

/** The file's bars in order of time. */
async function* inOrder({ source, summary, digest, isLastForming, signal }: FileWrite): AsyncGenerator<readonly BarRow[]> {
  const marked = (bar: BarRow): BarRow =>
    isLastForming && bar.barStartMs === summary.lastStartMs ? { ...bar, isClosed: false } : bar;
  const unsorted: BarRow[] = [];
  for await (const batch of readFileBars(source, { digest, signal })) {
    const bars = batch.map(({ bar }) => marked(bar));
    if (summary.isAscending) yield bars;
    else unsorted.push(...bars);
  }
  if (unsorted.length > 0) yield unsorted.sort((a, b) => a.barStartMs - b.barStartMs);
}

/** The same, a UTC day at a time. */
async function* byDay(write: FileWrite): AsyncGenerator<readonly BarRow[]> {
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
 * Writes a file that was checked. It may be stopped at any point and done again: bars that are there already stay as they
 * are, and the days the file begins and ends in are written whole or not at all.
 * @returns how many bars were written
 */
export const writeFile = async (write: FileWrite): Promise<Written> => {
  const { store, source, summary, isAggregating, onRows } = write;
  const { interval, nowMs } = source;
  const coverage: Coverage = { fromMs: summary.firstStartMs, untilMs: summary.lastStartMs + INTERVAL_MS[interval] };
  const written = new Map<Interval, number>();
  const count = (bars: readonly BarRow[]): void => {
    for (const bar of bars) written.set(bar.interval, (written.get(bar.interval) ?? 0) + 1);
  };
  const coarser = isAggregating && interval !== "1d";
  let chunk: BarRow[] = [];
  let rows = 0;
  let inFlight: Promise<void> = Promise.resolve();
  /** Sends what has gathered; the next rows are read while the database writes. */
  const flush = async (): Promise<void> => {
    const [bars, ofRows] = [chunk, rows];
    [chunk, rows] = [[], 0];
    await inFlight;
    inFlight = upsertBars(store, bars).then(() => {
      count(bars);
      onRows(ofRows);
    });
    // Awaited a turn later; until then its failure is nobody's yet.
    inFlight.catch(() => {});
  };
  try {
    for await (const day of byDay(write)) {
      const dayMs = bucketStart(day[0]?.barStartMs ?? 0, "1d");
      rows += day.length;
      if (coarser && !covers(coverage, dayMs, DAY_MS)) {
        count(await writeEdgeDay(store, day, coverage, nowMs));
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
