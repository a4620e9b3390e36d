/** A replay file: past and future readings, each applied at its own time, and the sources its lines declare. */
import { type Instrument, partitionPoint, type SourceInfo, type SourceRole } from "@assay/pricing";
import { COUNCIL_FRESH_MS, freshFor, REFERENCE_FRESH_MS } from "../feed/feed.ts";
import { parseReplayLine, ReplayError, readLines } from "./lines.ts";
import { type ReplayLine, type ReplayRecord, recordOf } from "./records.ts";

export interface ReplaySource extends SourceInfo {
  /** Whether the overall status depends on it. */
  readonly required: boolean;
}

interface DeclaredSource {
  readonly instruments: Set<Instrument>;
  role?: SourceRole;
  origin?: string;
  intervalMs?: number;
  required?: boolean;
  reference?: boolean;
}

/** Collects what lines declare about their sources. */
interface SourceNotes {
  /** @throws ReplayError when two lines give a source different roles */
  note(file: string, number: number, line: ReplayLine): void;
  sources(): ReadonlyMap<string, ReplaySource>;
}

const DEFAULT_INTERVAL_MS = 60_000;

const freshForMs = ({ role, reference }: DeclaredSource, intervalMs: number): number => {
  if (role === "council") return COUNCIL_FRESH_MS;
  return reference ? REFERENCE_FRESH_MS : freshFor(intervalMs);
};

const asSource = ([key, declared]: readonly [string, DeclaredSource]): readonly [string, ReplaySource] => {
  const intervalMs = declared.intervalMs ?? DEFAULT_INTERVAL_MS;
  return [
    key,
    {
      key,
      displayName: key,
      // The figures belong to the operator, and so do the rights to them.
      license: "operator-licence",
      role: declared.role ?? "primary",
      intervalMs,
      freshForMs: freshForMs(declared, intervalMs),
      required: declared.required ?? false,
      instruments: [...declared.instruments],
      ...(declared.origin !== undefined && { origin: declared.origin }),
    },
  ];
};

/** A new collection. A field that a line omits keeps its value; of intervals, requirements and origins the last one counts. */
const sourceNotes = (): SourceNotes => {
  const bySource = new Map<string, DeclaredSource>();
  return {
    note: (file, number, line) => {
      const declared = bySource.get(line.source) ?? { instruments: new Set<Instrument>() };
      bySource.set(line.source, declared);
      if (line.kind === "spot") declared.instruments.add(line.instrument);
      if (line.kind !== "spot" && line.kind !== "fx") return;
      if (line.origin !== undefined) declared.origin = line.origin;
      if (line.required !== undefined) declared.required = line.required;
      if (line.expected_interval_seconds !== undefined) declared.intervalMs = line.expected_interval_seconds * 1000;
      if (line.kind === "fx") declared.reference = line.role === "reference";
      if (line.kind === "fx" || line.role === undefined) return;
      if (declared.role !== undefined && declared.role !== line.role) {
        throw new ReplayError(file, number, "role", `must be ${declared.role}, which an earlier line gave ${line.source}`);
      }
      declared.role = line.role;
    },
    sources: () => new Map([...bySource].map(asSource)),
  };
};

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
const countUntil = (records: readonly ReplayRecord[], atMs: number): number =>
  partitionPoint(records, ({ observedAtMs }) => observedAtMs <= atMs);

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
