/** Imports in this process, with all output and effects recorded. */
import type { Interval } from "@assay/contract";
import { readBars, type Store } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import { silentProgress } from "@assay/process/progress";
import { type ImportRequest, type ImportTools, planImport, runImport } from "../run-import.ts";
import { readZone, type Zone } from "../zone.ts";

/** 2026-01-01T00:00:00Z, the time of trials. */
export const NOW_MS = Date.UTC(2026, 0, 1);

/** The result of an import. */
export interface Trial {
  /** Its output. */
  readonly said: readonly string[];
  /** The series servers were notified of. */
  readonly announced: readonly string[];
}

/** Imports minutes of gold futures by default; futures keep their volume. */
export const tryImport = async (
  store: Store,
  files: readonly string[],
  change: Partial<ImportRequest> = {},
  tools: Partial<ImportTools> = {},
): Promise<Trial> => {
  const said: string[] = [];
  const announced: string[] = [];
  const request: ImportRequest = {
    ...{ symbol: "GC", interval: "1m", files, isLastForming: false, isAggregating: true, isForced: false },
    zone: zoneNamed("UTC"),
    ...change,
  };
  const all: ImportTools = {
    store,
    clock: () => NOW_MS,
    progress: silentProgress,
    say: (line) => void said.push(line),
    announce: async (symbol) => void announced.push(symbol),
    signal: new AbortController().signal,
    ...tools,
  };
  await runImport(await planImport(request, all.clock()), request, all);
  return { said, announced };
};

/** The error of a refused import. */
export const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "it was not refused",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** A whole series, oldest first. */
export const seriesOf = async (store: Store, symbol: string, interval: Interval): Promise<BarRow[]> =>
  (await readBars(store, { symbol, interval, fromMs: 0, toMs: Date.UTC(2100, 0, 1), limit: 1_000_000 })).reverse();

/** A zone that must exist. */
export const zoneNamed = (name: string): Zone => {
  const zone = readZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
};
