/**
 * Which readings count: the newest of each source while it is fresh, one witness for each origin; and figures that stopped
 * changing, however fresh their timestamps.
 */
import type { Instrument } from "../conventions/symbols.ts";
import type { SourceInfo, SpotObservation } from "./observation.ts";

/** A reading with its source, and the last instant at which it is fresh. */
export interface KnownReading {
  readonly observation: SpotObservation;
  readonly info: SourceInfo;
  readonly freshUntilMs: number;
}

/**
 * The readings of one instrument: the newest of each known source, primaries first, then by key.
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

/**
 * Who made a source's figures: however many sources repeat them, they are one witness.
 * @returns the origin; `unknown:<key>` where only the source is known
 */
export const originOf = ({ origin, key }: SourceInfo): string => origin ?? `unknown:${key}`;

const byOrigin = <T extends KnownReading>(readings: readonly T[]): Map<string, T[]> => {
  const newest = new Map<string, T[]>();
  for (const reading of readings) {
    const origin = originOf(reading.info);
    const held = newest.get(origin);
    const aheadMs = held?.[0] ? reading.observation.observedAtMs - held[0].observation.observedAtMs : 1;
    if (aheadMs > 0) newest.set(origin, [reading]);
    else if (aheadMs === 0) held?.push(reading);
  }
  return newest;
};

/**
 * The newest readings of each origin. Of one instant there may be several: should they contradict each other, belief has to see it.
 * @param readings of one role, all fresh
 */
export const newestOfOrigins = <T extends KnownReading>(readings: readonly T[]): T[] => [...byOrigin(readings).values()].flat();

/** One reading for each origin, which is its vote in a median: the newest, of several the first by key. */
export const oneOfEachOrigin = <T extends KnownReading>(readings: readonly T[]): T[] =>
  [...byOrigin(readings).values()].flatMap((newest) => newest.toSorted((a, b) => (a.info.key < b.info.key ? -1 : 1)).slice(0, 1));

/** For how long, and over how many readings, a figure has not changed. */
export interface FrozenRun {
  /** The figure, or any text that represents the whole reading. */
  readonly value: string;
  /** When it was first seen, epoch milliseconds. */
  readonly sinceMs: number;
  readonly readings: number;
}

/**
 * Adds a reading to the run of equal ones.
 * @param run the run so far, null at the start
 * @param value the reading's figure, or any text that represents the whole reading
 * @param atMs when it was fetched
 */
export const frozenRun = (run: FrozenRun | null, value: string, atMs: number): FrozenRun =>
  run?.value === value ? { ...run, readings: run.readings + 1 } : { value, sinceMs: atMs, readings: 1 };

/** When a run counts as frozen: both limits must be reached. */
export interface FrozenLimit {
  readonly forMs: number;
  readonly readings: number;
}

/** Spot metal changes many times a minute while the market is open: half an hour and ten equal readings mean a frozen feed. */
export const SPOT_FROZEN: FrozenLimit = { forMs: 30 * 60_000, readings: 10 };

/**
 * Whether a run is frozen at a moment.
 * @param open whether the market is open, and has been since the run began; in a closed market figures may stand still
 * @param limit when it counts as frozen
 */
export const isFrozen = (run: FrozenRun, nowMs: number, open: boolean, limit: FrozenLimit = SPOT_FROZEN): boolean =>
  open && run.readings >= limit.readings && nowMs - run.sinceMs >= limit.forMs;
