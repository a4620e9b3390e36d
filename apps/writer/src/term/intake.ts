/** Passes readings through the desks into the store, each at its own time. */
import type { Time } from "@assay/ports";
import type { ClockedSource, Observation } from "@assay/pricing";
import type { Desks } from "../desks.ts";
import type { EventQueue } from "../moments/event-queue.ts";
import type { MomentWriter } from "../moments/moment-writer.ts";
import { TermEndedError } from "./term-options.ts";

/** Rows of history written together: what a statement needs of the embedded engine's memory is never returned. */
const CATCH_UP_ROWS = 500;

interface IntakeParts {
  readonly desks: Desks;
  readonly moments: MomentWriter;
  readonly eventQueue: EventQueue;
  readonly clock: Pick<Time, "turn">;
  /** Whether a write may start: checked before each one. */
  readonly mayWrite: () => boolean;
}

export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Applies readings that passed the rules, as of an instant. */
  take(observations: readonly Observation[], atMs: number): void {
    const { desks, moments } = this.#parts;
    moments.add(desks.take(observations, atMs));
  }

  /** Applies a clocked source's readings after `fromMs` and up to `toMs`. */
  follow(source: ClockedSource, fromMs: number, toMs: number): void {
    for (const { atMs, observations } of source.due(fromMs, toMs)) this.#takeRaw(observations, atMs, true);
  }

  /**
   * Applies what a clocked source said before the term began, and writes it.
   * @param grows false while the bars of this time come from elsewhere
   * @param onReading called after each reading with its time
   */
  async catchUp(
    source: ClockedSource,
    fromMs: number,
    toMs: number,
    grows: boolean,
    onReading: (atMs: number) => void = () => undefined,
  ): Promise<void> {
    for (const { atMs, observations } of source.due(fromMs, toMs)) {
      this.#takeRaw(observations, atMs, grows);
      onReading(atMs);
      // For the lease's timers, and for the history, which is filled meanwhile.
      await this.#parts.clock.turn();
      if (this.#parts.moments.size >= CATCH_UP_ROWS) await this.write(atMs);
    }
    this.#settle(toMs, grows);
    // Bars that come from elsewhere have the volume of this time already.
    if (!grows) this.#parts.desks.market.prices.forgetVolumes();
    await this.write(toMs);
  }

  /**
   * Commits what is queued, then publishes it: never the other way round.
   * @throws TermEndedError when the lease ran out
   */
  async write(atMs: number): Promise<void> {
    const { desks, moments, eventQueue, mayWrite } = this.#parts;
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    await moments.write(atMs);
    for (const side of desks.sides) await side.flush(atMs);
    await eventQueue.send();
  }

  #takeRaw(observations: readonly Observation[], atMs: number, grows: boolean): void {
    const { desks, moments } = this.#parts;
    this.#settle(atMs, grows);
    moments.add(desks.take(desks.accept(observations, atMs), atMs, { grows }));
  }

  /** Composes what changed by itself before an instant, each change at its own time. */
  #settle(beforeMs: number, grows: boolean): void {
    const { desks, moments } = this.#parts;
    const { market } = desks;
    for (let atMs = market.nextChangeMs; atMs < beforeMs; atMs = market.nextChangeMs)
      moments.add(market.take([], atMs, { grows }));
  }
}
