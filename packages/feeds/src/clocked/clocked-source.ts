/** Sources that follow the clock instead of being asked: the simulated market, and a replay file. */
import type { Observation, SourceInfo } from "@assay/pricing";

/** Readings of one instant. */
export interface Reading {
  readonly atMs: number;
  readonly observations: readonly Observation[];
}

/** A source of a clocked kind, and whether the overall status depends on it. */
export interface ClockedInfo extends SourceInfo {
  readonly required: boolean;
}

/** A source whose readings follow from the clock alone, so that none is ever missed. */
export interface ClockedSource {
  /** Whether its figures are made up by the simulated market. */
  readonly simulated: boolean;
  readonly sources: ReadonlyMap<string, ClockedInfo>;
  /** Readings after `fromMs` and up to `toMs`, in time order. */
  due(fromMs: number, toMs: number): Generator<Reading>;
  /** When a source last spoke, up to an instant; epoch milliseconds, null before its first word. */
  lastSpokeMs(source: string, atMs: number): number | null;
}
