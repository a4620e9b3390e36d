/** Moments on their way into the store and from there to everybody: committed first, then told. */
import { type Moment, readLastSeqs, type Store, writeMoment } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import { isEmpty } from "./market-desk.ts";
import { MomentBatch } from "./moment-batch.ts";
import type { Outbox } from "./outbox.ts";

/** Ticks that wait at most for a store that does not answer. */
const MAX_WAITING_TICKS = 10_000;

/** What it writes with. */
export interface MomentWriterParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
}

/** Collects moments and writes them as one. */
export class MomentWriter {
  readonly #parts: MomentWriterParts;
  readonly #batch = new MomentBatch();
  /** Whether the answer to the last write was lost. */
  #inDoubt = false;

  constructor(parts: MomentWriterParts) {
    this.#parts = parts;
  }

  /** Rows that wait. */
  get size(): number {
    return this.#batch.size;
  }

  /** Adds a moment behind those that wait. */
  add(moment: Moment): void {
    if (!isEmpty(moment)) this.#batch.add(moment);
  }

  /** Commits what waits, then puts it into the outbox: never the other way round. What cannot be committed stays. */
  async write(atMs: number): Promise<void> {
    if (this.#batch.size === 0) return;
    const { writer, outbox } = this.#parts;
    const moment = this.#batch.read();
    await this.#commit(moment);
    this.#batch.clear();
    outbox.put({ kind: "moment", token: writer.token, atMs, ...moment });
    await outbox.send();
  }

  /** Lets go of the oldest ticks, where too many wait; answers how many. */
  shed(): number {
    return this.#batch.shed(MAX_WAITING_TICKS);
  }

  /** Writes a moment. One whose answer was lost may be stored already: its ticks are then not written again. */
  async #commit(moment: Moment): Promise<void> {
    const { store, writer } = this.#parts;
    const stored = this.#inDoubt ? await readLastSeqs(store) : null;
    const ticks = stored ? moment.ticks.filter((tick) => tick.seq > (stored.get(tick.instrument) ?? 0)) : moment.ticks;
    this.#inDoubt = true;
    await writeMoment(store, writer, { ...moment, ticks });
    this.#inDoubt = false;
  }
}
