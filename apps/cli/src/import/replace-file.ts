/**
 * Replaces the stored bars in a checked file's time range: bars missing from the file are removed, and so are those an earlier
 * import of it wrote elsewhere, which corrects a wrong time zone. Each step is one statement over whole days, so old and new
 * bars are swapped atomically, and an interrupted import is completed by running it again.
 */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarKey, readNewestBars, readStretch, replaceBars } from "@assay/db";
import { aggregateBars, type BarRow, bucketStart } from "@assay/pricing";
import { coarserIntervals } from "./coarser.ts";
import { type Coverage, covers, isSame, stillGrows } from "./edge-day.ts";
import { keyOf, onlyNewestForming } from "./only-newest-forming.ts";
import { toStored } from "./stored.ts";
import { writeAtRevision } from "./write-at-revision.ts";
import { byDay, type FileWrite, type Written } from "./write-file.ts";

/** Approximate number of bars per step. */
const STEP_BARS = 1_440;

/** The result of a replacement. */
export interface Replaced {
  readonly written: Written;
  /** Bars removed and not overwritten. */
  readonly removed: number;
  /** The time range affected. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The days of a step. */
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
  const written = new Map<Interval, number>();
  let removed = 0;

  const isGone = ({ barStartMs, sourceId }: BarRow): boolean =>
    isIn(coverage, barStartMs) ||
    (earlier !== null &&
      isIn(earlier, barStartMs) &&
      sourceId.startsWith("import:") &&
      !others.some((other) => isIn(other, barStartMs)));
  const madeOf = (rows: readonly BarRow[], each: Interval): ReadonlyMap<number, BarRow> => {
    const groups = new Map<number, BarRow[]>();
    for (const row of rows) {
      const startMs = bucketStart(row.barStartMs, each);
      const group = groups.get(startMs);
      if (group) group.push(row);
      else groups.set(startMs, [row]);
    }
    const bars = [...groups.values()].flatMap((group) => aggregateBars(group, each, group.at(-1)?.isClosed ? nowMs : undefined));
    return new Map(bars.map((bar) => [bar.barStartMs, bar]));
  };

  /** What the step's coarser bars become; those not listed are kept. */
  const rebuilt = (each: Interval, standing: readonly BarRow[], rows: Change, finer: Change) => {
    const [made, wasMade] = [madeOf(rows.after, each), madeOf(rows.before, each)];
    const [summed, wasSummed] = [madeOf(finer.after, each), madeOf(finer.before, each)];
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

  const replace = async ({ fromMs, untilMs, rows }: Step, revision?: number) => {
    const stored = await readStretch(store, symbol, [interval, ...coarser], fromMs, untilMs);
    const before = stored.filter((bar) => bar.interval === interval);
    const kept = before.filter((bar) => !isGone(bar));
    const after = [...kept, ...rows].sort((a, b) => a.barStartMs - b.barStartMs);
    const wanted = [...rows];
    const have = new Set(rows.map(({ barStartMs }) => barStartMs));
    const gone: BarKey[] = before.filter((bar) => isGone(bar) && !have.has(bar.barStartMs));
    let finer: Change = { before, after };
    for (const each of coarser) {
      const standing = stored.filter((bar) => bar.interval === each);
      const bars = new Map(standing.map((bar) => [bar.barStartMs, bar]));
      for (const [barStartMs, bar] of rebuilt(each, standing, { before, after }, finer)) {
        if (bar) wanted.push(bar);
        else if (bars.has(barStartMs)) gone.push({ interval: each, barStartMs });
        if (bar) bars.set(barStartMs, bar);
        else bars.delete(barStartMs);
      }
      finer = { before: standing, after: [...bars.values()].sort((a, b) => a.barStartMs - b.barStartMs) };
    }
    const goneKeys = new Set(gone.map(keyOf));
    const newest = await readNewestBars(store, symbol, [interval, ...coarser]);
    const standing = [...newest, ...stored].filter((bar) => !goneKeys.has(keyOf(bar)));
    await replaceBars(store, symbol, gone, onlyNewestForming(standing, wanted), revision);
    return { gone, wanted };
  };

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
