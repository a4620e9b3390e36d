/** Calls that were counted while Redis was away, and wait to be added to its counts. */
import type { UsageDelta } from "../ports.ts";

/** A batch for Redis; its id makes sure that it is added once. */
export interface Batch {
  readonly id: string;
  /** Calls to add to the counts. */
  readonly counts: readonly UsageDelta[];
  /** Calls to add to what is to be settled. */
  readonly deltas: readonly UsageDelta[];
}

/** Counts by organisation and day, given out in batches. */
export class Backlog {
  readonly #newId: () => string;
  readonly #counts = new Map<string, UsageDelta>();
  #batch: Batch | null = null;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Whether anything waits. */
  get isEmpty(): boolean {
    return this.#batch === null && this.#counts.size === 0;
  }

  /** Notes calls that Redis has not counted. */
  add(orgId: string, day: string, calls: number): void {
    const key = `${day}|${orgId}`;
    const noted = this.#counts.get(key)?.calls ?? 0;
    this.#counts.set(key, { orgId, day, calls: noted + calls });
  }

  /**
   * The batch to send: the one before, unless it arrived.
   * @param takeDeltas gives up the deltas that go along with a new batch
   */
  next(takeDeltas: () => readonly UsageDelta[]): Batch {
    if (!this.#batch) {
      const counts = [...this.#counts.values()].filter(({ calls }) => calls !== 0);
      this.#counts.clear();
      this.#batch = { id: this.#newId(), counts, deltas: takeDeltas() };
    }
    return this.#batch;
  }

  /** Notes that the batch was added. */
  arrived(): void {
    this.#batch = null;
  }
}
