/** What one source delivers of one instrument, counted by quarters of an hour while this writer leads. */
import { MINUTE_MS } from "@assay/contract";
import {
  MAX_INCIDENTS,
  noCounts,
  RECORD_QUARTER_MS,
  type SourceCounts,
  type SourceIncident,
  type SourceInfo,
} from "@assay/pricing";

/** A writer that was not asked for longer did not run: what nobody watched is not counted. */
const MAX_PAUSE_MS = MINUTE_MS;
/** The newest accepted reading may be this many cadences old at the end of a slot, as a feed is late after twice its interval. */
const MET_WITHIN = 2;

export interface EndedQuarter {
  readonly startsAtMs: number;
  readonly counts: SourceCounts;
}

/** Counts while they grow. */
interface Growing {
  expected: number;
  met: number;
  received: number;
  accepted: number;
  readonly refused: Record<string, number>;
  readonly deviations: Record<string, number>;
  incidents: SourceIncident[];
}

const growing = (): Growing => {
  const { expected, met, received, accepted } = noCounts(0);
  return { expected, met, received, accepted, refused: {}, deviations: {}, incidents: [] };
};

const countIn = (tally: Record<string, number>, name: string | number): void => {
  tally[name] = (tally[name] ?? 0) + 1;
};

/** What an earlier term recorded last. */
export type Recorded = Pick<SourceCounts, "untilMs" | "incidents" | "lastAcceptedAtMs">;

export class SourceWatch {
  readonly #info: Pick<SourceInfo, "intervalMs" | "freshForMs">;
  readonly #isOpen: (atMs: number) => boolean;
  #atMs: number;
  /** Slots that began before are not counted. */
  #watchedSinceMs: number;
  #quarterMs: number;
  #counts = growing();
  #ended: EndedQuarter[] = [];
  #lastAcceptedAtMs: number | null;
  /** Open hours since the last accepted reading, and whether any was refused in them. */
  #silentMs = 0;
  #isRefused = false;
  #incident: SourceIncident | null = null;
  /** Since the watch began, for the operator's metrics. */
  readonly totals = { expected: 0, met: 0, accepted: 0, refused: 0 };

  /**
   * @param atMs when the watch begins
   * @param recorded of the last term: its open incident ends where its record does
   */
  constructor(
    info: Pick<SourceInfo, "intervalMs" | "freshForMs">,
    isOpen: (atMs: number) => boolean,
    atMs: number,
    recorded: Recorded | null = null,
  ) {
    this.#info = info;
    this.#isOpen = isOpen;
    this.#atMs = atMs;
    this.#watchedSinceMs = atMs;
    this.#quarterMs = Math.floor(atMs / RECORD_QUARTER_MS) * RECORD_QUARTER_MS;
    this.#lastAcceptedAtMs = recorded?.lastAcceptedAtMs ?? null;
    for (const incident of recorded?.incidents ?? [])
      if (incident.toMs === null) this.#counts.incidents.push({ ...incident, toMs: recorded?.untilMs ?? atMs });
  }

  get lastAcceptedAtMs(): number | null {
    return this.#lastAcceptedAtMs;
  }

  /** Moves on to an instant; what is not later changes nothing. */
  advance(toMs: number): void {
    if (toMs <= this.#atMs) return;
    if (toMs - this.#atMs > MAX_PAUSE_MS) {
      this.#resume(toMs);
      return;
    }
    for (let endMs = this.#quarterMs + RECORD_QUARTER_MS; endMs <= toMs; endMs += RECORD_QUARTER_MS) {
      this.#pass(endMs);
      this.#endQuarter(endMs);
    }
    this.#pass(toMs);
  }

  /**
   * Counts an accepted reading.
   * @param deviation see `deviationOf`; null where there is no price to compare it with
   */
  accept(atMs: number, deviation: number | null): void {
    this.advance(atMs);
    this.#counts.received += 1;
    this.#counts.accepted += 1;
    this.totals.accepted += 1;
    if (deviation !== null) countIn(this.#counts.deviations, deviation);
    this.#lastAcceptedAtMs = this.#atMs;
    this.#endIncident(this.#atMs);
  }

  refuse(atMs: number, rule: string): void {
    this.advance(atMs);
    this.#counts.received += 1;
    this.totals.refused += 1;
    countIn(this.#counts.refused, rule);
    this.#isRefused = true;
  }

  /** Gives out the quarters that ended at or before an instant, once. */
  ended(atMs: number): EndedQuarter[] {
    const due = this.#ended.filter(({ startsAtMs }) => startsAtMs + RECORD_QUARTER_MS <= atMs);
    this.#ended = this.#ended.filter((each) => !due.includes(each));
    return due;
  }

  /** Passes time within the quarter. */
  #pass(toMs: number): void {
    const { intervalMs } = this.#info;
    for (let end = Math.floor(this.#atMs / intervalMs + 1) * intervalMs; end <= toMs; end += intervalMs) this.#endSlot(end);
    this.#listen(toMs);
    this.#atMs = toMs;
  }

  #endSlot(endMs: number): void {
    const { intervalMs } = this.#info;
    const startMs = endMs - intervalMs;
    if (startMs < this.#watchedSinceMs || !this.#isOpen(startMs) || !this.#isOpen(endMs - 1)) return;
    this.#counts.expected += 1;
    this.totals.expected += 1;
    if (this.#lastAcceptedAtMs === null || this.#lastAcceptedAtMs < endMs - MET_WITHIN * intervalMs) return;
    this.#counts.met += 1;
    this.totals.met += 1;
  }

  /** Open hours without an accepted reading become an incident once they are longer than one stays fresh. */
  #listen(toMs: number): void {
    if (!this.#isOpen(toMs)) {
      // Closed hours are no downtime; after them the silence starts over.
      if (this.#incident) this.#endIncident(toMs);
      return;
    }
    if (!this.#isOpen(this.#atMs)) return;
    this.#silentMs += toMs - this.#atMs;
    const overMs = this.#silentMs - this.#info.freshForMs;
    if (overMs > 0) this.#incident ??= { kind: this.#isRefused ? "refused" : "silent", fromMs: toMs - overMs, toMs: null };
  }

  #endIncident(atMs: number): void {
    if (this.#incident) this.#note({ ...this.#incident, toMs: atMs });
    this.#incident = null;
    this.#silentMs = 0;
    this.#isRefused = false;
  }

  #note(incident: SourceIncident): void {
    this.#counts.incidents = [...this.#counts.incidents, incident].slice(-MAX_INCIDENTS);
  }

  /** @param untilMs the end of what was watched of the quarter */
  #endQuarter(untilMs: number): void {
    // It goes on in the next quarter, under the same beginning.
    if (this.#incident) this.#note(this.#incident);
    this.#ended.push({
      startsAtMs: this.#quarterMs,
      counts: { ...this.#counts, untilMs, lastAcceptedAtMs: this.#lastAcceptedAtMs },
    });
    this.#counts = growing();
    this.#quarterMs = Math.floor(untilMs / RECORD_QUARTER_MS) * RECORD_QUARTER_MS;
  }

  /** Goes on after a time that was not watched. */
  #resume(atMs: number): void {
    this.#endIncident(this.#atMs);
    const quarterMs = Math.floor(atMs / RECORD_QUARTER_MS) * RECORD_QUARTER_MS;
    if (quarterMs > this.#quarterMs) this.#endQuarter(this.#atMs);
    this.#quarterMs = quarterMs;
    this.#atMs = atMs;
    this.#watchedSinceMs = atMs;
  }
}
