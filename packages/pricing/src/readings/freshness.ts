/** Freshness of readings. */
import type { Instrument } from "../market/symbols.ts";
import type { SourceInfo, SpotObservation } from "./observation.ts";

/** A reading with its source, and the last instant at which it is fresh. */
export interface KnownReading {
  readonly observation: SpotObservation;
  readonly info: SourceInfo;
  readonly freshUntilMs: number;
}

/**
 * The readings of one instrument: the newest of each known source, primaries first, then by key.
 * @param instrument the instrument
 * @param latestBySource the latest reading of each source; other instruments are ignored
 * @param sources the sources by key; readings of other sources are ignored
 */
export const knownReadings = (
  instrument: Instrument,
  latestBySource: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
): KnownReading[] => {
  const newest = new Map<string, KnownReading>();
  for (const observation of latestBySource) {
    if (observation.instrument !== instrument) continue;
    const info = sources.get(observation.source);
    if (!info) continue;
    const held = newest.get(observation.source);
    if (held && held.observation.observedAtMs > observation.observedAtMs) continue;
    newest.set(observation.source, { observation, info, freshUntilMs: observation.observedAtMs + info.freshForMs });
  }
  return [...newest.values()].sort(byRoleThenKey);
};

const RANK = { primary: 0, council: 1, informational: 2 } as const;

const byRoleThenKey = (a: KnownReading, b: KnownReading): number =>
  RANK[a.info.role] - RANK[b.info.role] || (a.info.key < b.info.key ? -1 : 1);

/**
 * When the set of fresh readings of an instrument next shrinks without a new reading.
 * @param nowMs now
 * @returns the first instant at which a currently fresh reading is stale; null when none is fresh
 */
export const nextChangeMs = (
  instrument: Instrument,
  latestBySource: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
  nowMs: number,
): number | null => {
  let next: number | null = null;
  for (const { freshUntilMs } of knownReadings(instrument, latestBySource, sources)) {
    if (freshUntilMs >= nowMs && (next === null || freshUntilMs + 1 < next)) next = freshUntilMs + 1;
  }
  return next;
};
