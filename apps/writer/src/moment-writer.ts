/** Moments on their way into the store and from there to everybody: committed first, then told. */
import { BAR_SYMBOLS, INTERVAL_MS } from "@assay/contract";
import { BarsRevisedError, type Moment, noteReplacedBars, type Store, type TakenBack, writeMoment } from "@assay/db";
import { REPORTED_DAYS } from "@assay/feeds";
import type { LeaseToken } from "@assay/live";
import type { Instrument } from "@assay/pricing";
import type { BarKeeper } from "./bar-keeper.ts";
import { isEmpty, type PriceMoment } from "./market-desk.ts";
import { MomentBatch } from "./moment-batch.ts";
import type { Outbox } from "./outbox.ts";
import { readStoredBars } from "./stored-bars.ts";
import { joinedWith, takeBack, withRestored } from "./taken-back.ts";

/** Ticks that wait at most for a store that does not answer. */
const MAX_WAITING_TICKS = 10_000;
/** An import writes a few times in a row; beyond so many the next second tries again. */
const MAX_TRIES = 10;
/** Bars that began longer ago are over, whoever left them. */
const RUNNING_MS = 2 * INTERVAL_MS["1d"];

/** What it writes with. */
export interface MomentWriterParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
  readonly bars: BarKeeper;
  readonly clock: () => number;
}

/**
 * Collects moments and writes them as one. Their bars are made from the stored ones as this writer knows them; when another has
 * written bars since, as an import does, the write is refused, and the moment's bars are made once more from what is stored now.
 */
export class MomentWriter {
  readonly #parts: MomentWriterParts;
  readonly #batch = new MomentBatch();
  /** Of the bars that the keeper's rest on; null when that is not known, as when the answer to the last write was lost. */
  #revision: number | null = null;
  /** The last stored ticks, as long as some that wait may be among them. */
  #stored: ReadonlyMap<Instrument, number> = new Map();
  /** Series that are to be without withdrawn ticks, as they are at the revision. */
  #takenBack: readonly TakenBack[] = [];
  /** Whether stored bars were changed in a way that readers were not told bar by bar. */
  #isRevised = false;

  constructor(parts: MomentWriterParts) {
    this.#parts = parts;
  }

  /** Rows that wait. */
  get size(): number {
    return this.#batch.size;
  }

  /**
   * Goes on from what is stored.
   * @param aliveMs when a writer wrote last: what it left unclosed began less than a day before
   */
  async begin(aliveMs: number): Promise<void> {
    await this.#rebase(aliveMs - RUNNING_MS);
    this.#isRevised = false;
  }

  /** Adds a moment behind those that wait. */
  add(moment: PriceMoment): void {
    if (!isEmpty(moment)) this.#batch.add(moment);
  }

  /** Commits what waits, then puts it into the outbox: never the other way round. What cannot be committed stays. */
  async write(atMs: number): Promise<void> {
    if (this.#batch.size === 0) return;
    const { store, writer, outbox, bars } = this.#parts;
    const undo = [...this.#batch.undo];
    // First, so that no archive of what is withdrawn is left even when this ends in between.
    for (const { symbol, fromMs } of undo) await noteReplacedBars(store, symbol, fromMs, atMs);
    const moment = await this.#commit();
    this.#batch.clear();
    bars.committed();
    if (this.#isRevised) {
      for (const symbol of [...BAR_SYMBOLS, ...REPORTED_DAYS]) outbox.put({ kind: "bars-replaced", symbol });
      this.#isRevised = false;
    }
    outbox.put({ kind: "moment", token: writer.token, atMs, ...moment });
    for (const symbol of new Set(undo.map((each) => each.symbol))) outbox.put({ kind: "bars-replaced", symbol });
    await outbox.send();
  }

  /** Lets go of the oldest ticks, where too many wait; answers how many. */
  shed(): number {
    return this.#batch.shed(MAX_WAITING_TICKS);
  }

  /** Writes what waits. After a write whose answer was lost its ticks may be stored already: those are not written again. */
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

  /** Has the bars that wait made once more, from what is stored now. */
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
