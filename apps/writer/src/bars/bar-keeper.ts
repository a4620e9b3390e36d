/** The forming bars of every series at all eight intervals, updated by ticks and closed by time. */
import { INTERVALS } from "@assay/contract";
import { applyTick, type BarObservation, type BarRow, barEnd, bucketStart, closeDue, type Instrument } from "@assay/pricing";
import { type Growth, GrowthJournal, type GrowthTick } from "./growth-journal.ts";

/** The source of bars built from composed ticks, unless their feed is simulated. */
export const COMPOSED = "composed";

/** A complete bar reported by a source. */
export const barOf = (observation: BarObservation, nowMs: number): BarRow => {
  const { symbol, interval, barStartMs, open, high, low, close, volume, source } = observation;
  const isClosed = barEnd({ barStartMs, interval }) <= nowMs;
  return { symbol, interval, barStartMs, open, high, low, close, volume, isClosed, sourceId: source };
};

const seriesOf = ({ symbol, interval }: BarRow): string => `${symbol} ${interval}`;
const isSame = (one: BarRow, other: BarRow): boolean => seriesOf(one) === seriesOf(other) && one.barStartMs === other.barStartMs;
const closed = (bar: BarRow): BarRow => ({ ...bar, isClosed: true });

/**
 * Keeps forming bars. A tick updates the bars of all intervals or of none: one that belongs to a closed bar at any interval is
 * too late, and applying it to the others would make intervals disagree.
 */
export class BarKeeper {
  readonly #sourceId: string;
  readonly #forming = new Map<string, BarRow>();
  /** Stored bars that are followed by newer ones but were never closed. */
  #overdue: BarRow[] = [];
  readonly #openFromMs = new Map<string, number>();
  readonly #journal = new GrowthJournal();
  #closedUntilMs = Number.NEGATIVE_INFINITY;

  /** @param sourceId the source new bars name */
  constructor(sourceId: string) {
    this.#sourceId = sourceId;
  }

  /**
   * Continues from stored bars instead of its own, and reapplies what was not committed.
   * @param stored the newest bar of each series and every other one not closed, oldest first
   * @param storedSeqs the last stored tick of each instrument: the stored bars include ticks up to it
   * @returns the bars that differ from the stored ones
   */
  rebase(stored: readonly BarRow[], storedSeqs: ReadonlyMap<Instrument, number>): BarRow[] {
    this.#forming.clear();
    this.#openFromMs.clear();
    this.#overdue = [];
    for (const bar of stored) this.put(bar);
    const changed = new Map<string, BarRow>();
    const note = (bars: readonly BarRow[]): void => {
      for (const bar of bars) changed.set(`${seriesOf(bar)} ${bar.barStartMs}`, bar);
    };
    for (const growth of this.#journal.keepAfter(storedSeqs)) note(this.#grow(growth));
    note(this.closeDue(this.#closedUntilMs));
    return [...changed.values()];
  }

  /** What was applied so far is stored. */
  committed(): void {
    this.#journal.clear();
  }

  /** Applies a stored bar: ticks continue one that is forming, and do not touch a closed one. */
  put(bar: BarRow): void {
    const name = seriesOf(bar);
    const before = this.#forming.get(name);
    if (before && before.barStartMs < bar.barStartMs) this.#overdue.push(before);
    if (!bar.isClosed) this.#forming.set(name, bar);
    else if (before && before.barStartMs <= bar.barStartMs) this.#forming.delete(name);
    this.#open(bar.symbol, bar.isClosed ? barEnd(bar) : bar.barStartMs);
  }

  /** Applies a bar reported by a source. One that was reported early is closed by time, unless it is reported again before. */
  report(bar: BarRow): BarRow {
    this.#journal.add({ kind: "bar", bar });
    this.#grow({ kind: "bar", bar });
    return bar;
  }

  /**
   * Updates the bars of a series with a tick.
   * @returns the changed bars: closed ones before the forming ones that follow them
   */
  take(symbol: string, tick: GrowthTick, atMs: number): BarRow[] {
    const growth = { kind: "tick", symbol, tick, atMs } as const;
    this.#journal.add(growth);
    return this.#grow(growth);
  }

  closeDue(nowMs: number): BarRow[] {
    this.#closedUntilMs = nowMs;
    const done = this.#overdue.filter((bar) => barEnd(bar) <= nowMs).map(closed);
    this.#overdue = this.#overdue.filter((bar) => barEnd(bar) > nowMs);
    for (const [name, bar] of this.#forming) {
      const due = closeDue(bar, nowMs);
      if (!due) continue;
      done.push(due);
      this.#forming.delete(name);
      this.#open(bar.symbol, barEnd(bar));
    }
    return done;
  }

  #open(symbol: string, fromMs: number): void {
    if (fromMs > this.opensAtMs(symbol)) this.#openFromMs.set(symbol, fromMs);
  }

  #grow(growth: Growth): BarRow[] {
    if (growth.kind === "bar") {
      const { bar } = growth;
      const forming = this.#forming.get(seriesOf(bar));
      if (!forming || forming.barStartMs <= bar.barStartMs) this.put(bar);
      // One of an earlier time corrects a stored bar, not a forming one; if that waits to be closed, it is closed with these figures.
      else this.#overdue = this.#overdue.map((each) => (isSame(each, bar) ? bar : each));
      return [bar];
    }
    const { symbol, tick, atMs } = growth;
    if (atMs < this.opensAtMs(symbol)) return [];
    this.#open(symbol, bucketStart(atMs, "1m"));
    const changed: BarRow[] = [];
    for (const interval of INTERVALS) {
      const name = `${symbol} ${interval}`;
      const step = applyTick(
        this.#forming.get(name) ?? null,
        { atMs, price: tick.price, ...(tick.volume === undefined ? {} : { volume: tick.volume }) },
        { symbol, interval, sourceId: this.#sourceId },
      );
      if (step.closed) changed.push(step.closed);
      // A reported minute that ticks have extended is theirs: it goes with them when they are withdrawn.
      const forming = interval === "1m" ? { ...step.forming, sourceId: this.#sourceId } : step.forming;
      this.#forming.set(name, forming);
      changed.push(forming);
    }
    return changed;
  }

  /** The instant from which ticks of a series are not too late. */
  opensAtMs(symbol: string): number {
    return this.#openFromMs.get(symbol) ?? Number.NEGATIVE_INFINITY;
  }

  get sourceId(): string {
    return this.#sourceId;
  }

  formingOf(symbol: string): BarRow[] {
    return [...this.#forming.values()].filter((bar) => bar.symbol === symbol);
  }

  /**
   * Reverts a series to what was forming before withdrawn ticks; what is stored decides when it is written.
   * @param fromSeq the first withdrawn one
   * @param rows what `formingOf` returned then
   * @returns the same rows, closed where their time is over
   */
  restoreTo(symbol: string, fromSeq: number, rows: readonly BarRow[], nowMs: number): BarRow[] {
    this.#journal.forget(symbol, fromSeq);
    this.#openFromMs.delete(symbol);
    this.#overdue = this.#overdue.filter((bar) => bar.symbol !== symbol);
    for (const [name, bar] of this.#forming)
      if (bar.symbol === symbol && bar.sourceId === this.#sourceId) this.#forming.delete(name);
    const restored = rows.map((row) => closeDue(row, nowMs) ?? row);
    for (const bar of restored) this.#grow({ kind: "bar", bar });
    return restored;
  }
}
