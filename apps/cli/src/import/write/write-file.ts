/**
 * Writes what remains of a checked file: its bars, and the longer ones built from them, over what is stored. Each step is one
 * statement over whole days, all or nothing, so that an interrupted import is completed by running it again.
 */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { BarsRevisedError, readBarsRevision, readStretch, replaceBars, type Store, upsertBars } from "@assay/db";
import type { Clock } from "@assay/ports";
import { type BarRow, bucketStart, utcDay } from "@assay/pricing";
import type { FileSummary } from "../check/check-file.ts";
import { ImportError } from "../import-error.ts";
import { type BarSource, type FileRow, readFileBars } from "../read/read-bars.ts";
import { type Coverage, coarserIntervals, covers, toStored, type Written } from "../stored-bars.ts";
import { type Changes, changesOf } from "./changes.ts";
import type { TakenDays } from "./copy-days.ts";

/** Approximate number of the file's bars per step. */
const STEP_BARS = 1_440;

/** A writer writes once a second, which leaves time for many attempts. */
const MAX_TRIES = 100;

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
  /** What else is removed: the stored bars of the file's time range that it does not have, and those of its earlier import. */
  readonly replacing: Replacing | null;
  /** Called with rows as they are written. */
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface Replacing {
  /** The range of an earlier import of the file, whose bars are removed outside the file's range as well: a zone was wrong. */
  readonly earlier: Coverage | null;
  /** Ranges of other files' imports, whose bars do not belong to the earlier import. */
  readonly others: readonly Coverage[];
}

interface FileWritten extends Coverage {
  /** The file's bars in the store, and those built from them. */
  readonly written: Written;
  /** Bars removed and not overwritten. */
  readonly removed: number;
  /** Days of which a bar was written as forming. */
  readonly formingDaysMs: readonly number[];
}

interface Step extends Coverage {
  /** The file's bars in these days, as stored. */
  readonly rows: readonly BarRow[];
}

/** From a file's first bar to the end of its last. */
export const coverageOf = ({ source, summary }: Pick<FileWrite, "source" | "summary">): Coverage => ({
  fromMs: summary.firstStartMs,
  untilMs: summary.lastStartMs + INTERVAL_MS[source.interval],
});

/** The file's bars not yet written, in time order. */
async function* inOrder(write: FileWrite): AsyncGenerator<readonly BarRow[]> {
  const { source, summary, digest, taken, signal } = write;
  if (taken.rest) return yield taken.rest;
  const isLeft = ({ bar }: FileRow): boolean => bar.barStartMs < taken.fromMs || bar.barStartMs >= taken.untilMs;
  const unsorted: BarRow[] = [];
  for await (const batch of readFileBars(source, { digest, signal })) {
    const bars = batch.filter(isLeft).map(({ bar }) => toStored(bar));
    if (summary.isAscending) yield bars;
    else unsorted.push(...bars);
  }
  if (unsorted.length > 0) yield unsorted.sort((a, b) => a.barStartMs - b.barStartMs);
}

/** Splits a time range into steps of whole days, with the file's bars in them. */
async function* stepsOf(write: FileWrite, range: Coverage): AsyncGenerator<Step> {
  const lengthMs = Math.max(1, Math.floor((STEP_BARS * INTERVAL_MS[write.source.interval]) / DAY_MS)) * DAY_MS;
  const endMs = bucketStart(range.untilMs - 1, "1d") + DAY_MS;
  let fromMs = bucketStart(range.fromMs, "1d");
  let rows: BarRow[] = [];
  const next = (): Step => {
    const step = { fromMs, untilMs: Math.min(fromMs + lengthMs, endMs), rows };
    [fromMs, rows] = [step.untilMs, []];
    return step;
  };
  for await (const bars of inOrder(write)) {
    for (const bar of bars) {
      while (bar.barStartMs >= fromMs + lengthMs) yield next();
      rows.push(bar);
    }
  }
  while (fromMs < endMs) yield next();
}

/** Whether a writer may still add bars to a day: one that has just ended may have some about to be closed. */
const stillGrows = (dayMs: number, nowMs: number): boolean => dayMs + 2 * DAY_MS > nowMs;

/** Writes only over the bars it was computed from: if a writer or another import wrote first, it is computed again. */
const atRevision = async <T>(store: Store, { fromMs }: Step, attempt: (revision: number) => Promise<T>): Promise<T> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const revision = await readBarsRevision(store);
    try {
      return await attempt(revision);
    } catch (error) {
      if (!(error instanceof BarsRevisedError)) throw error;
    }
  }
  throw new ImportError(`${utcDay(fromMs)}: bars are written faster than the import can read them; run the import again`);
};

export const writeFile = async (write: FileWrite): Promise<FileWritten> => {
  const { store, source, taken, replacing, onRows, signal, clock } = write;
  const { symbol, interval } = source;
  const coverage = coverageOf(write);
  const earlier = replacing?.earlier ?? coverage;
  const range = {
    fromMs: Math.min(coverage.fromMs, earlier.fromMs),
    untilMs: Math.max(coverage.untilMs, earlier.untilMs),
  };
  const intervals = [interval, ...(write.isAggregating ? coarserIntervals(interval) : [])];
  const isGone = ({ barStartMs, sourceId }: BarRow): boolean =>
    replacing !== null &&
    (covers(coverage, barStartMs, 1) ||
      (covers(earlier, barStartMs, 1) &&
        sourceId.startsWith("import:") &&
        !replacing.others.some((other) => covers(other, barStartMs, 1))));

  const rewrite = async ({ fromMs, untilMs, rows }: Step, revision?: number): Promise<Changes> => {
    const stored = await readStretch(store, symbol, intervals, fromMs, untilMs);
    const changes = changesOf(rows, stored, { coverage, intervals, isGone, nowMs: clock() });
    const { written, removed } = changes;
    // Where nothing is stored they are copied, on the engine that can.
    if (stored.length === 0 && revision === undefined) await upsertBars(store, written, { isFree: true });
    else await replaceBars(store, symbol, removed, written, revision);
    return changes;
  };
  const written = new Map(taken.written);
  const count = (each: Interval, bars: number): void => {
    if (bars > 0) written.set(each, (written.get(each) ?? 0) + bars);
  };
  const formingDaysMs: number[] = [];
  let removed = 0;
  if (taken.rows > 0) onRows(taken.rows);
  signal.throwIfAborted();
  for await (const step of stepsOf(write, range)) {
    signal.throwIfAborted();
    const { fromMs, untilMs, rows } = step;
    if (rows.length === 0 && replacing === null) continue;
    await store.turn();
    // Longer bars that the file covers in part depend on what is stored, and so does a day that a writer adds to.
    const isShared = stillGrows(untilMs - DAY_MS, clock()) || !covers(coverage, fromMs, untilMs - fromMs);
    const changes = await (isShared ? atRevision(store, step, (revision) => rewrite(step, revision)) : rewrite(step));
    removed += changes.removed.length;
    count(interval, rows.length);
    for (const [each, bars] of changes.built) count(each, bars);
    for (const bar of changes.written) if (!bar.isClosed) formingDaysMs.push(bucketStart(bar.barStartMs, "1d"));
    onRows(rows.length);
  }
  return { ...range, written, removed, formingDaysMs };
};
