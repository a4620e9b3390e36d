/** Writes moments to the store, merged where several wait, then publishes them: committed first. */
import { INTERVAL_MS } from "@assay/contract";
import { BarsRevisedError, type Moment, noteReplacedBars, type Store, type WithdrawnBars, writeMoment } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import type { Clock } from "@assay/ports";
import {
  type BarRow,
  type BeliefState,
  barEnd,
  DAILY_SYMBOLS,
  type DayPair,
  type Instrument,
  type RateSet,
  type SettlementRow,
  type SourceRecord,
  settlementKey,
} from "@assay/pricing";
import type { BarKeeper } from "../bars/bar-keeper.ts";
import { isEmpty, type PriceMoment } from "../prices/market-desk.ts";
import type { BarUndo } from "../prices/price-desk.ts";
import { takeBackBarsAhead } from "./bars-ahead.ts";
import type { EventQueue } from "./event-queue.ts";
import { joinedWith, readStoredBars, takeBack, withRestored } from "./stored-bars.ts";

/** Collects moments to be written together. */
export class MomentBatch {
  #ticks: Moment["ticks"][number][] = [];
  #fx: Moment["fx"][number][] = [];
  readonly #bars = new Map<string, BarRow>();
  #rateSets: RateSet[] = [];
  #dayPairs: DayPair[] = [];
  readonly #settlements = new Map<string, SettlementRow>();
  readonly #beliefs = new Map<Instrument, BeliefState>();
  readonly #records = new Map<string, SourceRecord>();
  #undo: BarUndo[] = [];

  /** Adds records of sources; a newer one of the same span replaces one that was not written yet. */
  record(records: readonly SourceRecord[]): void {
    for (const each of records) this.#records.set(`${each.span} ${each.startsAtMs} ${each.source} ${each.instrument}`, each);
  }

  /** Adds a moment; bars it withdraws are not written at all. */
  add(moment: PriceMoment): void {
    for (const undo of moment.undo ?? []) {
      this.#undo.push(undo);
      for (const [name, bar] of this.#bars)
        if (bar.symbol === undo.symbol && bar.sourceId === undo.sourceId && barEnd(bar) > undo.fromMs) this.#bars.delete(name);
    }
    for (const belief of moment.beliefs ?? []) this.#beliefs.set(belief.instrument, belief);
    this.#ticks.push(...moment.ticks);
    this.#fx.push(...moment.fx);
    this.#rateSets.push(...(moment.rateSets ?? []));
    this.#dayPairs.push(...(moment.dayPairs ?? []));
    for (const bar of moment.bars) this.#bars.set(`${bar.symbol} ${bar.interval} ${bar.barStartMs}`, bar);
    for (const row of moment.settlements ?? []) this.#settlements.set(settlementKey(row), row);
  }

  replaceBars(bars: readonly BarRow[]): void {
    this.#bars.clear();
    for (const bar of bars) this.#bars.set(`${bar.symbol} ${bar.interval} ${bar.barStartMs}`, bar);
  }

  get size(): number {
    return (
      this.#ticks.length +
      this.#fx.length +
      this.#bars.size +
      this.#settlements.size +
      this.#beliefs.size +
      this.#records.size +
      this.#undo.length
    );
  }

  /** What must be withdrawn before the moment is written. */
  get undo(): readonly BarUndo[] {
    return this.#undo;
  }

  /** Drops the ticks of all but the newest instants when too many are queued for an unavailable store; bars are kept. */
  shed(maxTicks: number): number {
    const dropped = Math.max(0, this.#ticks.length - maxTicks);
    if (dropped > 0) this.#ticks = this.#ticks.slice(dropped);
    return dropped;
  }

  /** What was collected. It is kept until `clear`, so that a failed write can be retried. */
  read(): Moment {
    return {
      ticks: this.#ticks,
      bars: [...this.#bars.values()],
      fx: this.#fx,
      ...(this.#rateSets.length > 0 && { rateSets: this.#rateSets }),
      ...(this.#dayPairs.length > 0 && { dayPairs: this.#dayPairs }),
      ...(this.#settlements.size > 0 && { settlements: [...this.#settlements.values()] }),
      ...(this.#beliefs.size > 0 && { beliefs: [...this.#beliefs.values()] }),
      ...(this.#records.size > 0 && { records: [...this.#records.values()] }),
    };
  }

  clear(): void {
    this.#ticks = [];
    this.#fx = [];
    this.#rateSets = [];
    this.#dayPairs = [];
    this.#bars.clear();
    this.#settlements.clear();
    this.#beliefs.clear();
    this.#records.clear();
    this.#undo = [];
  }
}

/** The most ticks that wait for an unavailable store. */
const MAX_WAITING_TICKS = 10_000;
/** An import writes a few times in a row; after this many the next second tries again. */
const MAX_TRIES = 10;
/** Bars that started longer ago are over, even if they were left open. */
const RUNNING_MS = 2 * INTERVAL_MS["1d"];

interface MomentWriterParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly eventQueue: EventQueue;
  readonly bars: BarKeeper;
  readonly clock: Clock;
  /** Called with the ticks of each moment once it is committed. */
  readonly onCommitted?: (ticks: Moment["ticks"]) => void;
}

/** What a commit is based on: the store as it was at a revision. */
interface Basis {
  readonly revision: number;
  /** The last stored ticks: queued ones may be among them. */
  readonly seqs: ReadonlyMap<Instrument, number>;
  /** Series whose withdrawn ticks are to be removed. */
  readonly withdrawnBars: readonly WithdrawnBars[];
  /** Whether the bars were read from the store again, which readers then do too: not all of them were published one by one. */
  readonly isReread: boolean;
}

interface Committed {
  readonly moment: Moment;
  /** The revision of the ledger that it took; 0 for none. */
  readonly recorded: number;
  readonly isReread: boolean;
}

/** Nothing has changed since the writer's own last commit. */
const unchangedSince = (revision: number): Basis => ({ revision, seqs: new Map(), withdrawnBars: [], isReread: false });

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

  constructor(parts: MomentWriterParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#batch.size;
  }

  /**
   * Continues from what is stored.
   * @param aliveMs when a writer last wrote: what it left open started less than a day before
   */
  async begin(aliveMs: number): Promise<void> {
    const { revision } = await this.#rebase(aliveMs - RUNNING_MS);
    this.#revision = revision;
  }

  /**
   * Lets bars form again that a clock closed which was ahead, and continues from them once it has caught up.
   * @param handledMs until when it has to
   */
  async goBack(nowMs: number, handledMs: number): Promise<void> {
    const { store, writer, eventQueue } = this.#parts;
    const symbols = await takeBackBarsAhead(store, writer, { nowMs, computesFromMs: handledMs });
    await this.begin(handledMs);
    for (const symbol of symbols) eventQueue.put({ kind: "bars-replaced", symbol });
    await eventQueue.send();
  }

  add(moment: PriceMoment): void {
    if (!isEmpty(moment)) this.#batch.add(moment);
  }

  record(records: readonly SourceRecord[]): void {
    this.#batch.record(records);
  }

  /** Commits what is queued, then puts it into the event queue: never the other way round. What cannot be committed stays queued. */
  async write(atMs: number): Promise<void> {
    if (this.#batch.size === 0) return;
    const { store, writer, eventQueue, bars, onCommitted } = this.#parts;
    const undo = [...this.#batch.undo];
    // Done first, so that no archive of withdrawn bars is left even after a crash in between.
    for (const { symbol, fromMs } of undo) await noteReplacedBars(store, symbol, fromMs, atMs);
    const { moment, recorded, isReread } = await this.#commit();
    this.#batch.clear();
    bars.committed();
    onCommitted?.(moment.ticks);
    if (isReread) for (const symbol of DAILY_SYMBOLS) eventQueue.put({ kind: "bars-replaced", symbol });
    eventQueue.put({ kind: "moment", token: writer.token, atMs, ...moment, ...(recorded === 0 ? {} : { revision: recorded }) });
    for (const symbol of new Set(undo.map((each) => each.symbol))) eventQueue.put({ kind: "bars-replaced", symbol });
    await eventQueue.send();
  }

  /** Drops the oldest ticks, when too many are queued; returns how many. */
  shed(): number {
    return this.#batch.shed(MAX_WAITING_TICKS);
  }

  /** Writes what is queued, again from what is stored then if another process has written bars in between. */
  async #commit(): Promise<Committed> {
    const { clock } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const known = this.#batch.undo.length > 0 ? null : this.#revision;
      const basis = known === null ? await this.#rebase(clock() - RUNNING_MS) : unchangedSince(known);
      try {
        return await this.#commitOn(basis);
      } catch (error) {
        if (!(error instanceof BarsRevisedError) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Writes what is queued. After a write whose answer was lost its ticks may already be stored: those are not written again. */
  async #commitOn({ revision, seqs, withdrawnBars: withdrawn, isReread }: Basis): Promise<Committed> {
    const { store, writer } = this.#parts;
    const moment = this.#batch.read();
    const { withdrawnBars, bars } = joinedWith(withdrawn, moment.bars);
    const ticks = moment.ticks.filter(({ instrument, seq }) => seq > (seqs.get(instrument) ?? 0));
    // Unknown until the store has answered.
    this.#revision = null;
    // What publishers have corrected is written apart from a withdrawal, which is the ledger's reason for all of a statement.
    const { fx, settlements = [] } = moment;
    const isApart = withdrawnBars.length > 0 && fx.length + settlements.length > 0;
    const apart = isApart ? { fx: [], settlements: [] } : {};
    const recorded = await writeMoment(store, writer, { ...moment, ticks, withdrawnBars, bars, ...apart }, revision);
    if (isApart) await writeMoment(store, writer, { ticks: [], bars: [], fx, settlements });
    this.#revision = moment.bars.length + withdrawnBars.length > 0 ? revision + 1 : revision;
    // Records are read from the store alone.
    const { records: _, ...published } = moment;
    return {
      moment: { ...published, bars: [...bars, ...withdrawnBars.flatMap(({ restored }) => restored)] },
      recorded,
      isReread,
    };
  }

  /** Rebuilds the queued bars from what is stored now. */
  async #rebase(sinceMs: number): Promise<Basis> {
    const { store, bars, clock } = this.#parts;
    const stored = await readStoredBars(store, sinceMs, clock());
    let running = stored.bars;
    const withdrawnBars: WithdrawnBars[] = [];
    for (const undo of this.#batch.undo) {
      const restored = await takeBack(store, undo, stored.seqs, clock());
      if (!restored) continue;
      running = withRestored(running, undo, restored);
      withdrawnBars.push(restored.withdrawnBars);
    }
    this.#batch.replaceBars(bars.rebase(running, stored.seqs));
    return { revision: stored.revision, seqs: stored.seqs, withdrawnBars, isReread: true };
  }
}
