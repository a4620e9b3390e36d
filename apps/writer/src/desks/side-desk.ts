/** A desk for readings that make no price: it applies those of its kinds, and publishes what changed. */
import type { Judgement } from "@assay/feeds";
import type { Observation } from "@assay/pricing";

/** Handles one kind of reading, alongside the price desk. */
export interface SideDesk {
  /** The kinds of readings it is for. */
  readonly kinds: ReadonlySet<Observation["kind"]>;
  /** Checks a reading of its kinds against the rules. */
  judge(observation: Observation, nowMs: number): Judgement;
  /** Applies accepted readings of its kinds, of one instant; also called without any. */
  take(observations: readonly Observation[], atMs: number): void;
  /** Continues from the previous term; what was applied so far is history. */
  begin(nowMs: number): Promise<void>;
  /** Stores what changed and publishes it, after the prices of the same instant. */
  tell(atMs: number): Promise<void>;
  /** Finishes work in progress. */
  end(): Promise<void>;
}
