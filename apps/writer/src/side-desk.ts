/** A desk for readings that make no price of their own: it takes in what it is for, and tells of what changed. */
import type { Judgement } from "@assay/feeds";
import type { Observation } from "@assay/pricing";

/** Takes in one sort of reading, beside the desk that makes prices. */
export interface SideDesk {
  /** The kinds of readings it is for. */
  readonly kinds: ReadonlySet<Observation["kind"]>;
  /** Holds a reading of its kinds to the rules. */
  judge(observation: Observation, nowMs: number): Judgement;
  /** Takes in accepted readings of its kinds, of one moment; called as well when there are none. */
  take(observations: readonly Observation[], atMs: number): void;
  /** Takes up where the term before left off; what was taken so far is the past. */
  begin(nowMs: number): Promise<void>;
  /** Stores what changed and tells of it, after the prices of the moment. */
  tell(atMs: number): Promise<void>;
  /** Finishes what is under way. */
  end(): Promise<void>;
}
