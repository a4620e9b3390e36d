/** Sources that follow the clock instead of being asked: the simulated market, and a replay file. */
import type { Replay } from "@assay/feeds";
import {
  type BarObservation,
  INSTRUMENTS,
  type Observation,
  SIMULATED_DEALER_CURRENCIES,
  SIMULATED_SOURCE,
  type SimulatedHours,
  type SourceInfo,
  simulatedBars,
  simulatedFx,
  simulatedFxReference,
  simulatedQuotes,
} from "@assay/pricing";
import { REPORTED_DAYS } from "./bar-keeper.ts";

const SECOND_MS = 1_000;
const FX_EVERY_SECONDS = 10;
const REPORT_EVERY_SECONDS = 60;

/** Readings of one instant. */
export interface Reading {
  readonly atMs: number;
  readonly observations: readonly Observation[];
}

/** A source whose readings follow from the clock alone. */
export interface ClockedSource {
  readonly sources: ReadonlyMap<string, SourceInfo & { readonly required?: boolean }>;
  /** Readings after `fromMs` and up to `toMs`, in time order. */
  due(fromMs: number, toMs: number): Generator<Reading>;
  /** When each source last spoke, up to an instant; epoch milliseconds. */
  lastSpoke(source: string, atMs: number): number | null;
}

const DAY_MS = 86_400_000;

/** The day of a series so far; just after midnight the day before, whole, and the new one. */
const reportedDays = (atMs: number, seed: number, hours: SimulatedHours): BarObservation[] => {
  const fromMs = Math.floor((atMs - 1) / DAY_MS) * DAY_MS;
  return REPORTED_DAYS.flatMap((symbol) =>
    [...simulatedBars(symbol, "1d", fromMs, atMs + SECOND_MS, seed, hours)].map(
      ({ interval, barStartMs, open, high, low, close, volume }): BarObservation => ({
        kind: "bar",
        source: SIMULATED_SOURCE,
        symbol,
        interval,
        barStartMs,
        open,
        high,
        low,
        close,
        volume,
        observedAtMs: atMs,
      }),
    ),
  );
};

/** The simulated market as a source: a reading each whole second, none skipped. */
export const simulatedSource = (seed: number, hours: SimulatedHours, sources: readonly SourceInfo[]): ClockedSource => ({
  sources: new Map(sources.map((source) => [source.key, source])),
  *due(fromMs, toMs) {
    for (let second = Math.floor(fromMs / SECOND_MS) + 1; second * SECOND_MS <= toMs; second += 1) {
      const atMs = second * SECOND_MS;
      const observations: Observation[] = INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, seed, { hours }));
      if (second % FX_EVERY_SECONDS === 0)
        observations.push(simulatedFx(atMs, seed, SIMULATED_DEALER_CURRENCIES), simulatedFxReference(atMs, seed));
      if (second % REPORT_EVERY_SECONDS === 0) observations.push(...reportedDays(atMs, seed, hours));
      yield { atMs, observations };
    }
  },
  lastSpoke: (_source, atMs) => Math.floor(atMs / SECOND_MS) * SECOND_MS,
});

const isObservation = (record: Replay["records"][number]): record is Extract<Replay["records"][number], Observation> =>
  record.kind === "spot" || record.kind === "fx" || record.kind === "bar";

/** A replay file as a source: each reading at its own time. */
export const replaySource = (replay: Replay): ClockedSource => ({
  sources: replay.sources,
  *due(fromMs, toMs) {
    let group: Observation[] = [];
    let groupMs = Number.NaN;
    for (const record of replay.due(fromMs, toMs)) {
      if (!isObservation(record)) continue;
      if (record.observedAtMs !== groupMs && group.length > 0) {
        yield { atMs: groupMs, observations: group };
        group = [];
      }
      groupMs = record.observedAtMs;
      group.push(record);
    }
    if (group.length > 0) yield { atMs: groupMs, observations: group };
  },
  lastSpoke: (source, atMs) =>
    replay.past(atMs).findLast((record) => record.source === source && record.kind !== "silence")?.observedAtMs ?? null,
});
