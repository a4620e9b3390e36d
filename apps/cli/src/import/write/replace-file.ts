/**
 * Replaces the stored bars in a checked file's time range: bars missing from the file are removed, and so are those an earlier
 * import of it wrote elsewhere, which corrects a wrong time zone. Each step is one statement over whole days, so old and new
 * bars are swapped atomically, and an interrupted import is completed by running it again.
 */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarKey, readNewestBars, readStretch, replaceBars } from "@assay/db";
import { type BarRow, bucketStart } from "@assay/pricing";
import { addedUp, coarserIntervals, keyOf, onlyNewestForming, toStored } from "../stored-bars.ts";
import { type Coverage, covers, isSame, stillGrows } from "./edge-day.ts";
import { writeAtRevision } from "./revision.ts";
import { byDay, type FileWrite, type Written } from "./write-file.ts";

/** Approximate number of bars per step. */
const STEP_BARS = 1_440;

interface Replaced {
  readonly written: Written;
  /** Bars removed and not overwritten. */
  readonly removed: number;
  /** The time range affected. */
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Step extends Coverage {
  /** The file's bars in these days, as stored. */
  readonly rows: readonly BarRow[];
}

/** Bars of one interval before a step and after it, oldest first. */
interface Change {
  readonly before: readonly BarRow[];
  readonly after: readonly BarRow[];
}

const isIn = ({ fromMs, untilMs }: Coverage, ms: number): boolean => ms >= fromMs && ms < untilMs;

/** Splits the file into steps that cover every day between its first and last, and those of the earlier import. */
async function* stepsOf(write: FileWrite, touched: Coverage): AsyncGenerator<Step> {
  const days = Math.max(1, Math.floor(STEP_BARS / (DAY_MS / INTERVAL_MS[write.source.interval])));
  const endMs = bucketStart(touched.untilMs - 1, "1d") + DAY_MS;
  let fromMs = bucketStart(touched.fromMs, "1d");
  let rows: BarRow[] = [];
  for await (const day of byDay(write)) {
    const dayMs = bucketStart(day[0]?.barStartMs ?? 0, "1d");
    for (; dayMs >= fromMs + days * DAY_MS; fromMs += days * DAY_MS) {
      yield { fromMs, untilMs: fromMs + days * DAY_MS, rows };
      rows = [];
    }
    rows.push(...day.map(toStored));
  }
  for (; fromMs < endMs; fromMs += days * DAY_MS) {
    yield { fromMs, untilMs: Math.min(fromMs + days * DAY_MS, endMs), rows };
    rows = [];
  }
}

interface Replacement {
  /** From the file's first bar to the end of its last. */
  readonly coverage: Coverage;
  readonly interval: Interval;
  /** The longer intervals that are built. */
  readonly coarser: readonly Interval[];
  /** Whether a stored bar goes, unless the file has it. */
  readonly isGone: (bar: BarRow) => boolean;
  readonly nowMs: number;
}

/** What a step's bars of a longer interval become; those not listed are kept. */
const rebuilt = (each: Interval, standing: readonly BarRow[], rows: Change, finer: Change, replacement: Replacement) => {
  const { coverage, isGone, nowMs } = replacement;
  const [made, wasMade] = [addedUp(rows.after, each, nowMs), addedUp(rows.before, each, nowMs)];
  const [summed, wasSummed] = [addedUp(finer.after, each, nowMs), addedUp(finer.before, each, nowMs)];
  const stood = new Map(standing.map((bar) => [bar.barStartMs, bar]));
  const changes = new Map<number, BarRow | null>();
  const bucketsOf = (bars: readonly BarRow[]) => new Set(bars.map(({ barStartMs }) => bucketStart(barStartMs, each)));
  const changed = bucketsOf([
    ...rows.before.filter(isGone),
    ...rows.after.filter(({ barStartMs }) => isIn(coverage, barStartMs)),
  ]);
  for (const startMs of new Set([...made.keys(), ...wasMade.keys(), ...stood.keys()])) {
    const bar = stood.get(startMs);
    const isWhole = covers(coverage, startMs, INTERVAL_MS[each]);
    if (!isWhole && !changed.has(startMs)) continue;
    const equals = (was: BarRow | undefined): boolean => bar !== undefined && was !== undefined && isSame(bar, was);
    if (isWhole || bar === undefined || equals(wasMade.get(startMs))) changes.set(startMs, made.get(startMs) ?? null);
    // One of the finer bars has its own source, and was included.
    else if (equals(wasSummed.get(startMs))) changes.set(startMs, summed.get(startMs) ?? null);
    // A bar that differs from both has its own source, too, and is kept where the file covers it only in part.
  }
  return changes;
};

const byStart = (bars: Iterable<BarRow>): BarRow[] => [...bars].sort((a, b) => a.barStartMs - b.barStartMs);

/** What a step writes and removes, over what is stored of its days. */
const changesOf = (rows: readonly BarRow[], stored: readonly BarRow[], replacement: Replacement) => {
  const { interval, coarser, isGone } = replacement;
  const before = stored.filter((bar) => bar.interval === interval);
  const after = byStart([...before.filter((bar) => !isGone(bar)), ...rows]);
  const have = new Set(rows.map(({ barStartMs }) => barStartMs));
  const wanted = [...rows];
  const gone: BarKey[] = before.filter((bar) => isGone(bar) && !have.has(bar.barStartMs));
  let finer: Change = { before, after };
  for (const each of coarser) {
    const standing = stored.filter((bar) => bar.interval === each);
    const bars = new Map(standing.map((bar) => [bar.barStartMs, bar]));
    for (const [barStartMs, bar] of rebuilt(each, standing, { before, after }, finer, replacement)) {
      if (bar) wanted.push(bar);
      else if (bars.has(barStartMs)) gone.push({ interval: each, barStartMs });
      if (bar) bars.set(barStartMs, bar);
      else bars.delete(barStartMs);
    }
    finer = { before: standing, after: byStart(bars.values()) };
  }
  return { gone, wanted };
};

/**
 * Replaces the bars of a file's time range.
 * @param earlier the range of an earlier import of the file; its bars outside the file's range are removed
 * @param others ranges of other files' imports, whose bars do not belong to the earlier import
 */
export const replaceFile = async (write: FileWrite, earlier: Coverage | null, others: readonly Coverage[]): Promise<Replaced> => {
  const { store, source, summary, isAggregating, onRows, signal, clock } = write;
  const { interval, symbol, nowMs } = source;
  const coverage: Coverage = { fromMs: summary.firstStartMs, untilMs: summary.lastStartMs + INTERVAL_MS[interval] };
  const touched = {
    fromMs: Math.min(coverage.fromMs, earlier?.fromMs ?? Number.POSITIVE_INFINITY),
    untilMs: Math.max(coverage.untilMs, earlier?.untilMs ?? Number.NEGATIVE_INFINITY),
  };
  const coarser = isAggregating ? coarserIntervals(interval) : [];
  const intervals = [interval, ...coarser];
  const isGone = ({ barStartMs, sourceId }: BarRow): boolean =>
    isIn(coverage, barStartMs) ||
    (earlier !== null &&
      isIn(earlier, barStartMs) &&
      sourceId.startsWith("import:") &&
      !others.some((other) => isIn(other, barStartMs)));
  const replacement = { coverage, interval, coarser, isGone, nowMs };
  const replace = async ({ fromMs, untilMs, rows }: Step, revision?: number) => {
    const stored = await readStretch(store, symbol, intervals, fromMs, untilMs);
    const { gone, wanted } = changesOf(rows, stored, replacement);
    const goneKeys = new Set(gone.map(keyOf));
    const newest = await readNewestBars(store, symbol, intervals);
    const standing = [...newest, ...stored].filter((bar) => !goneKeys.has(keyOf(bar)));
    await replaceBars(store, symbol, gone, onlyNewestForming(standing, wanted), revision);
    return { gone, wanted };
  };

  const written = new Map<Interval, number>();
  let removed = 0;
  for await (const step of stepsOf(write, touched)) {
    signal.throwIfAborted();
    const { gone, wanted } = await (stillGrows(step.untilMs - DAY_MS, clock())
      ? writeAtRevision(store, step.fromMs, (revision) => replace(step, revision))
      : replace(step));
    removed += gone.length;
    for (const bar of wanted) written.set(bar.interval, (written.get(bar.interval) ?? 0) + 1);
    onRows(step.rows.length);
  }
  return { written, removed, ...touched };
};
