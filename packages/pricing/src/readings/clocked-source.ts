/** Sources driven by the clock instead of polling: the simulated market, and replay files. */
import type { Observation, SourceInfo } from "./observation.ts";

/** Readings of one instant. */
export interface Reading {
  readonly atMs: number;
  readonly observations: readonly Observation[];
}

/** A clocked source, and whether the overall status depends on it. */
export interface ClockedInfo extends SourceInfo {
  readonly required: boolean;
}

/** A source whose readings depend only on the clock, so that none is ever missed. */
export interface ClockedSource {
  /** Whether its figures are simulated. */
  readonly simulated: boolean;
  readonly sources: ReadonlyMap<string, ClockedInfo>;
  /** Readings after `fromMs` and up to `toMs`, in time order. */
  due(fromMs: number, toMs: number): Generator<Reading>;
  /** When a source last reported, up to an instant; epoch milliseconds, null before its first reading. */
  lastSpokeMs(source: string, atMs: number): number | null;
}
