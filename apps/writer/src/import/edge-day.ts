/**
 * A day the file holds only a part of: its first or last. Its rows and the coarser bars around them go into the store
 * together, because what a coarser bar may become rests on what stood there before.
 */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { readBars, type Store, upsertBars } from "@assay/db";
import { aggregateBars, type BarRow, barEnd, bucketStart, compareDecimalText } from "@assay/pricing";
import { coarserBars } from "./coarser.ts";
import { toStored } from "./stored.ts";

const DAY_MS = INTERVAL_MS["1d"];

/** From the first instant a file covers to the first one after it. */
export interface Coverage {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether a stretch of time lies in the file as a whole. */
export const covers = (coverage: Coverage, startMs: number, lengthMs: number): boolean =>
  startMs >= coverage.fromMs && startMs + lengthMs <= coverage.untilMs;

/** Stored bars that begin in a stretch of time, oldest first. */
const readSpan = async (store: Store, symbol: string, interval: Interval, startMs: number, lengthMs: number) => {
  const limit = lengthMs / INTERVAL_MS[interval];
  const rows = await readBars(store, { symbol, interval, fromMs: startMs, toMs: startMs + lengthMs - 1, limit });
  return rows.toReversed();
};

/** What the store will hold once rows are written over others: a forming bar never replaces a closed one. */
const overlaid = (standing: readonly BarRow[], rows: readonly BarRow[]): readonly BarRow[] => {
  const byStart = new Map(standing.map((bar) => [bar.barStartMs, bar]));
  for (const bar of rows) if (bar.isClosed || !byStart.get(bar.barStartMs)?.isClosed) byStart.set(bar.barStartMs, bar);
  return [...byStart.values()].sort((a, b) => a.barStartMs - b.barStartMs);
};

/** Whether two bars have the same figures. */
export const isSame = (a: BarRow, b: BarRow): boolean =>
  (["open", "high", "low", "close"] as const).every((figure) => compareDecimalText(a[figure], b[figure]) === 0) &&
  (a.volume === null || b.volume === null ? a.volume === b.volume : compareDecimalText(a.volume, b.volume) === 0);

/** The rows of a bar's time, made into it. */
const madeOf = (rows: readonly BarRow[], bar: BarRow, nowMs: number): BarRow | undefined => {
  const span = rows.filter(({ barStartMs }) => barStartMs >= bar.barStartMs && barStartMs < barEnd(bar));
  const [made] = aggregateBars(span, bar.interval, span.at(-1)?.isClosed ? nowMs : undefined);
  return made && { ...made, sourceId: bar.sourceId };
};

/**
 * Writes such a day, all or nothing.
 *
 * A coarser bar of which the file has only a part is built of all rows the store will hold of its time. It is written where
 * none stands, or where the one that stands is just what the stored rows came to before: then it was made of them, by the
 * import of a neighbouring file perhaps. Any other is somebody's own and stays.
 * @param rows the day's bars in the file, oldest first
 * @returns what was written
 */
export const writeEdgeDay = async (
  store: Store,
  rows: readonly BarRow[],
  coverage: Coverage,
  nowMs: number,
): Promise<readonly BarRow[]> => {
  const [first] = rows;
  if (!first) return [];
  const { symbol, interval } = first;
  const stored = rows.map(toStored);
  const before = await readSpan(store, symbol, interval, bucketStart(first.barStartMs, "1d"), DAY_MS);
  const after = overlaid(before, stored);

  const replacement = async (bar: BarRow): Promise<BarRow | undefined> => {
    const lengthMs = INTERVAL_MS[bar.interval];
    if (covers(coverage, bar.barStartMs, lengthMs)) return bar;
    const [standing] = await readSpan(store, symbol, bar.interval, bar.barStartMs, lengthMs);
    if (!standing) return madeOf(after, bar, nowMs);
    const derived = madeOf(before, bar, nowMs);
    return derived && isSame(standing, derived) ? madeOf(after, bar, nowMs) : undefined;
  };

  const written = [...stored];
  for (const bars of coarserBars(rows, nowMs).values()) {
    for (const bar of bars) {
      const kept = await replacement(bar);
      if (kept) written.push(toStored(kept));
    }
  }
  await upsertBars(store, written, { isAtomic: true });
  return written;
};
