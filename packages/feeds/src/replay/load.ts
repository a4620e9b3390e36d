/** A replay file: past and future readings, each applied at its own time. */
import { freshFor, REFERENCE_FRESH_MS } from "../feed/freshness.ts";
import { readLines } from "./lines.ts";
import { parseReplayLine } from "./parse-line.ts";
import type { ReplayLine } from "./records.ts";
import { type ReplayRecord, recordOf } from "./replay-record.ts";
import { type ReplaySource, sourceNotes } from "./replay-sources.ts";

/** A file, validated and sorted. */
export interface Replay {
  readonly file: string;
  /** By observation time, then by line. Excludes records of a source after it fell silent. */
  readonly records: readonly ReplayRecord[];
  readonly sources: ReadonlyMap<string, ReplaySource>;
  /** Records observed at or before a moment. */
  past(nowMs: number): readonly ReplayRecord[];
  /** Records observed after `fromMs` and at or before `toMs`. */
  due(fromMs: number, toMs: number): readonly ReplayRecord[];
  /** When a source last reported, up to a moment; falling silent is no report. */
  lastSpokeMs(source: string, atMs: number): number | null;
}

/** The number of records observed at or before a moment. */
const countUntil = (records: readonly ReplayRecord[], atMs: number): number => {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.observedAtMs ?? Number.POSITIVE_INFINITY) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Drops records of a source after it fell silent. */
const untilSilence = (lines: readonly ReplayLine[]): readonly ReplayLine[] => {
  const silent = new Set<string>();
  return lines.filter((line) => {
    if (silent.has(line.source)) return false;
    if (line.kind === "silence") silent.add(line.source);
    return true;
  });
};

/** The reports of each source, in order. */
const bySource = (records: readonly ReplayRecord[]): ReadonlyMap<string, readonly ReplayRecord[]> => {
  const reports = new Map<string, ReplayRecord[]>();
  for (const record of records) {
    if (record.kind === "silence") continue;
    const own = reports.get(record.source);
    if (own) own.push(record);
    else reports.set(record.source, [record]);
  }
  return reports;
};

const freshForOf = (line: ReplayLine, sources: ReadonlyMap<string, ReplaySource>): number => {
  if (line.kind === "fx" && line.role === "reference") return REFERENCE_FRESH_MS;
  return freshFor(sources.get(line.source)?.intervalMs ?? 0);
};

/**
 * Loads a whole replay file.
 * @throws ReplayError at the first malformed line, naming file, line and field
 */
export const loadReplay = async (file: string): Promise<Replay> => {
  const notes = sourceNotes();
  const lines: ReplayLine[] = [];
  for await (const { number, text } of readLines(file)) {
    const line = parseReplayLine(file, number, text);
    notes.note(file, number, line);
    lines.push(line);
  }
  lines.sort((a, b) => a.observed_at - b.observed_at);
  const sources = notes.sources();
  const records = untilSilence(lines).map((line) => recordOf(line, freshForOf(line, sources)));
  const reports = bySource(records);
  return {
    file,
    records,
    sources,
    lastSpokeMs: (source, atMs) => {
      const own = reports.get(source) ?? [];
      return own[countUntil(own, atMs) - 1]?.observedAtMs ?? null;
    },
    past: (nowMs) => records.slice(0, countUntil(records, nowMs)),
    due: (fromMs, toMs) => records.slice(countUntil(records, fromMs), countUntil(records, toMs)),
  };
};
