/** Writes moments to the store, then publishes them: committed first. */
import { INTERVAL_MS } from "@assay/contract";
import { BarsRevisedError, type Moment, noteReplacedBars, type Store, type TakenBack, writeMoment } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import type { Instrument } from "@assay/pricing";
import { DAILY_SYMBOLS } from "@assay/pricing";
import type { BarKeeper } from "../bars/bar-keeper.ts";
import { readStoredBars } from "../bars/stored-bars.ts";
import { isEmpty, type PriceMoment } from "../prices/market-desk.ts";
import { MomentBatch } from "./moment-batch.ts";
import type { Outbox } from "./outbox.ts";
import { joinedWith, takeBack, withRestored } from "./taken-back.ts";

/** The most ticks that wait for an unavailable store. */
const MAX_WAITING_TICKS = 10_000;
/** An import writes a few times in a row; after this many the next second tries again. */
const MAX_TRIES = 10;
/** Bars that started longer ago are over, even if they were left open. */
const RUNNING_MS = 2 * INTERVAL_MS["1d"];

/** What it depends on. */
export interface MomentWriterParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
  readonly bars: BarKeeper;
  readonly clock: () => number;
}

/**
 * Collects moments and writes them as one. Their bars are based on the stored ones as this writer knows them; if another
 * process has written bars since, such as an import, the write is refused, and the moment's bars are rebuilt from what is
 * stored now.
 */
export class MomentWriter {
  readonly #parts: MomentWriterParts;
  readonly #batch = new MomentBatch();
  /** The revision the keeper's bars are based on; null when unknown, as when the answer to the last write was lost. */
  #revision: number | null = null;
  /** The last stored ticks, while some queued ones may be among them. */
  #stored: ReadonlyMap<Instrument, number> = new Map();
  /** Series whose withdrawn ticks are to be removed, as of the revision. */
  #takenBack: readonly TakenBack[] = [];
  /** Whether stored bars changed without being published bar by bar. */
  #isRevised = false;

  constructor(parts: MomentWriterParts) {
    this.#parts = parts;
  }

  /** The number of queued rows. */
  get size(): number {
    return this.#batch.size;
  }

  /**
   * Continues from what is stored.
   * @param aliveMs when a writer last wrote: what it left open started less than a day before
   */
  async begin(aliveMs: number): Promise<void> {
    await this.#rebase(aliveMs - RUNNING_MS);
    this.#isRevised = false;
  }

  /** Queues a moment. */
  add(moment: PriceMoment): void {
    if (!isEmpty(moment)) this.#batch.add(moment);
  }

  /** Commits what is queued, then puts it into the outbox: never the other way round. What cannot be committed stays queued. */
  async write(atMs: number): Promise<void> {
    if (this.#batch.size === 0) return;
    const { store, writer, outbox, bars } = this.#parts;
    const undo = [...this.#batch.undo];
    // Done first, so that no archive of withdrawn bars is left even after a crash in between.
    for (const { symbol, fromMs } of undo) await noteReplacedBars(store, symbol, fromMs, atMs);
    const moment = await this.#commit();
    this.#batch.clear();
    bars.committed();
    if (this.#isRevised) {
      for (const symbol of DAILY_SYMBOLS) outbox.put({ kind: "bars-replaced", symbol });
      this.#isRevised = false;
    }
    outbox.put({ kind: "moment", token: writer.token, atMs, ...moment });
    for (const symbol of new Set(undo.map((each) => each.symbol))) outbox.put({ kind: "bars-replaced", symbol });
    await outbox.send();
  }

  /** Drops the oldest ticks, when too many are queued; returns how many. */
  shed(): number {
    return this.#batch.shed(MAX_WAITING_TICKS);
  }

  /**
   * Writes what is queued. After a write whose answer was lost its ticks may already be stored: those are not written again.
   */
  async #commit(): Promise<Moment> {
    const { store, writer, clock } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const known = this.#batch.undo.length > 0 ? null : this.#revision;
      const revision = known ?? (await this.#rebase(clock() - RUNNING_MS));
      const moment = this.#batch.read();
      const { takenBack, bars } = joinedWith(this.#takenBack, moment.bars);
      const ticks = moment.ticks.filter(({ instrument, seq }) => seq > (this.#stored.get(instrument) ?? 0));
      this.#revision = null;
      try {
        await writeMoment(store, writer, { ...moment, ticks, takenBack, bars }, revision);
      } catch (error) {
        if (!(error instanceof BarsRevisedError) || tries === MAX_TRIES) throw error;
        continue;
      }
      this.#revision = moment.bars.length + takenBack.length > 0 ? revision + 1 : revision;
      this.#stored = new Map();
      return { ...moment, bars: [...bars, ...takenBack.flatMap(({ restored }) => restored)] };
    }
  }

  /** Rebuilds the queued bars from what is stored now. */
  async #rebase(sinceMs: number): Promise<number> {
    const { store, bars, clock } = this.#parts;
    const stored = await readStoredBars(store, sinceMs, clock());
    this.#stored = stored.seqs;
    let running = stored.bars;
    const takenBack: TakenBack[] = [];
    for (const undo of this.#batch.undo) {
      const restored = await takeBack(store, undo, stored.seqs, clock());
      if (!restored) continue;
      running = withRestored(running, undo, restored);
      takenBack.push(restored.takenBack);
    }
    this.#takenBack = takenBack;
    this.#batch.replaceBars(bars.rebase(running, stored.seqs));
    this.#isRevised = true;
    this.#revision = stored.revision;
    return stored.revision;
  }
}
