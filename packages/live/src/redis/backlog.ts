/** Calls counted while Redis was down, waiting to be added to its counts. */
import type { UsageDelta } from "../ports.ts";

/** A batch for Redis; its id ensures it is added only once. */
export interface Batch {
  readonly id: string;
  /** Calls to add to the counts. */
  readonly counts: readonly UsageDelta[];
  /** Deltas to add to the unsettled ones. */
  readonly deltas: readonly UsageDelta[];
}

/** Counts by organisation and day, handed out in batches. */
export class Backlog {
  readonly #newId: () => string;
  readonly #counts = new Map<string, UsageDelta>();
  #batch: Batch | null = null;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Whether anything is waiting. */
  get isEmpty(): boolean {
    return this.#batch === null && this.#counts.size === 0;
  }

  /** Records calls that Redis has not counted. */
  add(orgId: string, day: string, calls: number): void {
    const key = `${day}|${orgId}`;
    const noted = this.#counts.get(key)?.calls ?? 0;
    this.#counts.set(key, { orgId, day, calls: noted + calls });
  }

  /**
   * The next batch to send; the same one again until it is confirmed.
   * @param takeDeltas hands over the deltas that belong to a new batch
   */
  next(takeDeltas: () => readonly UsageDelta[]): Batch {
    if (!this.#batch) {
      const counts = [...this.#counts.values()].filter(({ calls }) => calls !== 0);
      this.#counts.clear();
      this.#batch = { id: this.#newId(), counts, deltas: takeDeltas() };
    }
    return this.#batch;
  }

  /** Confirms the batch. */
  arrived(): void {
    this.#batch = null;
  }
}
