/** The sources of a replay file, as declared by its lines. */
import type { Instrument, SourceInfo, SourceRole } from "@assay/pricing";
import { COUNCIL_FRESH_MS, freshFor, REFERENCE_FRESH_MS } from "../feed/freshness.ts";
import type { ReplayLine } from "./records.ts";
import { ReplayError } from "./replay-error.ts";

/** A replayed source. */
export interface ReplaySource extends SourceInfo {
  /** Whether the overall status depends on it. */
  readonly required: boolean;
}

interface Said {
  readonly instruments: Set<Instrument>;
  role?: SourceRole;
  intervalMs?: number;
  required?: boolean;
  reference?: boolean;
}

/** Collects what lines declare about their sources. */
export interface SourceNotes {
  /** @throws ReplayError when two lines give a source different roles */
  note(file: string, number: number, line: ReplayLine): void;
  sources(): ReadonlyMap<string, ReplaySource>;
}

const DEFAULT_INTERVAL_MS = 60_000;

const freshForMs = ({ role, reference }: Said, intervalMs: number): number => {
  if (role === "council") return COUNCIL_FRESH_MS;
  return reference ? REFERENCE_FRESH_MS : freshFor(intervalMs);
};

const asSource = ([key, said]: readonly [string, Said]): readonly [string, ReplaySource] => {
  const intervalMs = said.intervalMs ?? DEFAULT_INTERVAL_MS;
  return [
    key,
    {
      key,
      displayName: key,
      // The figures belong to the operator, and so do the rights to them.
      license: "operator-licence",
      role: said.role ?? "primary",
      intervalMs,
      freshForMs: freshForMs(said, intervalMs),
      required: said.required ?? false,
      instruments: [...said.instruments],
    },
  ];
};

/** A new collection. A field that a line omits keeps its value; of intervals and requirements the last one counts. */
export const sourceNotes = (): SourceNotes => {
  const bySource = new Map<string, Said>();
  return {
    note: (file, number, line) => {
      const said = bySource.get(line.source) ?? { instruments: new Set<Instrument>() };
      bySource.set(line.source, said);
      if (line.kind === "spot") said.instruments.add(line.instrument);
      if (line.kind !== "spot" && line.kind !== "fx") return;
      if (line.required !== undefined) said.required = line.required;
      if (line.expected_interval_seconds !== undefined) said.intervalMs = line.expected_interval_seconds * 1000;
      if (line.kind === "fx") said.reference = line.role === "reference";
      if (line.kind === "fx" || line.role === undefined) return;
      if (said.role !== undefined && said.role !== line.role) {
        throw new ReplayError(file, number, "role", `must be ${said.role}, which an earlier line gave ${line.source}`);
      }
      said.role = line.role;
    },
    sources: () => new Map([...bySource].map(asSource)),
  };
};
