/** One timer that checks every connection, independent of what is published: ended keys, full sockets, due times. */
import type { Log } from "@assay/live";
import type { Time } from "@assay/ports";

/** An item with a due instant. */
export interface Dated {
  /** When it is due; infinite for never. */
  readonly dueMs: number;
  /** The page it is on; set by the calendar. */
  page: number | null;
}

/** Pages of equal length, with the items due in each, so that a sweep visits no others. */
export class Calendar<T extends Dated> {
  readonly #pageMs: number;
  readonly #pages = new Map<number, Set<T>>();
  /** The first page not yet processed. */
  #next: number;

  constructor(pageMs: number, nowMs: number) {
    this.#pageMs = pageMs;
    this.#next = Math.ceil(nowMs / pageMs);
  }

  /** Schedules an item. Postponing is free here: it is noticed when the page is processed. */
  note(dated: T): void {
    const page = Math.max(Math.ceil(dated.dueMs / this.#pageMs), this.#next);
    if (page === Number.POSITIVE_INFINITY || (dated.page !== null && dated.page <= page)) return;
    this.forget(dated);
    const noted = this.#pages.get(page);
    if (noted) noted.add(dated);
    else this.#pages.set(page, new Set([dated]));
    dated.page = page;
  }

  /** Removes an item. */
  forget(dated: T): void {
    if (dated.page === null) return;
    this.#pages.get(dated.page)?.delete(dated);
    dated.page = null;
  }

  /**
   * Processes the pages up to an instant.
   * @returns the items due, each once; an item that is to be due again must be scheduled again
   */
  *take(nowMs: number): Generator<T, void, undefined> {
    while (this.#next * this.#pageMs <= nowMs) {
      const page = this.#next;
      this.#next += 1;
      const noted = this.#pages.get(page);
      // Items removed during the iteration are skipped.
      for (const dated of noted ?? []) {
        this.forget(dated);
        if (dated.dueMs > nowMs) this.note(dated);
        else yield dated;
      }
      this.#pages.delete(page);
    }
  }
}

/** How often connections are checked. */
export const SWEEP_MS = 250;
/** Connections checked before yielding to the event loop: those that arrived in one burst are due for a heartbeat together. */
const CONNECTIONS_PER_TURN = 100;

/** A connection, as far as a sweep knows it. */
export interface Sweepable extends Dated {
  readonly id: string;
  step(event: { readonly name: "revoked" | "gated" | "time" }): void;
  /** Checks how much its socket still holds. */
  relieve(): void;
  abandon(): void;
}

export interface SweepDeps<C extends Sweepable> {
  readonly calendar: Calendar<C>;
  /** Connections whose sockets have not drained. */
  readonly backedUp: Iterable<C>;
  /** Names the connections whose keys have ended by an instant, and those whose tier no longer includes them. */
  readonly keys: { ended(nowMs: number): Iterable<C>; gated(): Iterable<C> };
  readonly clock: Time;
  readonly log: Pick<Log, "error">;
}

const sweepAll = async <C extends Sweepable>({ calendar, backedUp, keys, clock, log }: SweepDeps<C>): Promise<void> => {
  let swept = 0;
  const each = async (connections: Iterable<C>, look: (connection: C) => void): Promise<void> => {
    for (const connection of connections) {
      // A failure closes that connection only; the others are still checked.
      try {
        look(connection);
      } catch (error) {
        log.error({ err: error, connection: connection.id }, "a stream failed; closing it");
        connection.abandon();
      }
      swept += 1;
      if (swept % CONNECTIONS_PER_TURN === 0) await clock.turn();
    }
  };
  await each(keys.ended(clock()), (connection) => connection.step({ name: "revoked" }));
  await each(keys.gated(), (connection) => connection.step({ name: "gated" }));
  await each(backedUp, (connection) => connection.relieve());
  await each(calendar.take(clock.elapsed()), (connection) => connection.step({ name: "time" }));
};

/** Starts sweeping; sweeps never overlap. */
export const sweeper = <C extends Sweepable>(deps: SweepDeps<C>): { stop(): void } => {
  let isSweeping = false;
  const stop = deps.clock.every(SWEEP_MS, () => {
    if (isSweeping) return;
    isSweeping = true;
    sweepAll(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, "the sweep of streams failed; retrying"))
      .finally(() => {
        isSweeping = false;
      });
  });
  return { stop };
};
