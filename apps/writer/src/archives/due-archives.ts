/** Which archives must be built, and in which order. */
import { BAR_SYMBOLS, type BarSymbol, DAY_MS, FIRST_ARCHIVE_YEAR, INTERVALS, type Interval } from "@assay/contract";
import type { ArchiveRecord, SeriesSource } from "@assay/db";

/** An archive to be built, in both formats. */
export interface DueArchive {
  readonly symbol: BarSymbol;
  readonly interval: Interval;
  readonly year: number;
  /** How many times its bars have been replaced in bulk. */
  readonly changes: number;
}

/** Current years are built this long after midnight UTC, when the day's last bars have long been closed. */
const NIGHTLY_AFTER_MS = 10 * 60_000;
/** How long after its end bars of a year may still be corrected. */
const SETTLED_AFTER_MS = 2 * DAY_MS;

const isCurrent = ({ builtAtMs, builtChanges, changes, year }: ArchiveRecord, nowMs: number): boolean => {
  if (builtAtMs === null || builtChanges === null || builtChanges < changes) return false;
  if (builtAtMs >= Date.UTC(year + 1, 0, 1) + SETTLED_AFTER_MS) return true;
  const lastNightMs = Math.floor((nowMs - NIGHTLY_AFTER_MS) / DAY_MS) * DAY_MS + NIGHTLY_AFTER_MS;
  return builtAtMs >= lastNightMs;
};

const isBarSymbol = (symbol: string): symbol is BarSymbol => BAR_SYMBOLS.some((known) => known === symbol);

/**
 * Lists what is due: years never built, current ones not built since last night, and those whose bars were replaced since.
 * Newest years come first, and within a year the daily bars: they are requested most.
 * @param series the stored series
 * @param records the ledger
 */
export const dueArchives = (
  series: readonly SeriesSource[],
  records: readonly ArchiveRecord[],
  nowMs: number,
): readonly DueArchive[] => {
  const known = new Map(records.map((record) => [`${record.symbol} ${record.interval} ${record.year}`, record]));
  const yearOf = (ms: number): number => new Date(ms).getUTCFullYear();
  const due: DueArchive[] = [];
  for (const { symbol, interval, oldestStartMs, latestStartMs } of series) {
    if (!isBarSymbol(symbol)) continue;
    const last = Math.min(yearOf(latestStartMs), yearOf(nowMs));
    for (let year = Math.max(yearOf(oldestStartMs), FIRST_ARCHIVE_YEAR); year <= last; year += 1) {
      const record = known.get(`${symbol} ${interval} ${year}`);
      if (!record || !isCurrent(record, nowMs)) due.push({ symbol, interval, year, changes: record?.changes ?? 0 });
    }
  }
  const place = (archive: DueArchive): number =>
    -archive.year * 1_000 - INTERVALS.indexOf(archive.interval) * 10 + BAR_SYMBOLS.indexOf(archive.symbol);
  return due.sort((left, right) => place(left) - place(right));
};
