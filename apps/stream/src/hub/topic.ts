/** What was published under one name in the last minutes, for clients that resume. */
import type { StreamName } from "@assay/contract";
import type { Entry, Gap } from "./entry.ts";

/** What a client that names its last number must receive. */
export interface MissedEntries {
  /** Whether that number may simply not have arrived here yet, because this process lags another. */
  readonly isAhead: boolean;
  /** The numbers after its own that it will not receive. */
  readonly gap: Gap | null;
  /** The entries after the gap, oldest first, the first one without a gap of its own; after a reset only the newest. */
  readonly entries: readonly Entry[];
}

const NOTHING: MissedEntries = { isAhead: false, gap: null, entries: [] };

/** The highest rate at which a name is published, per second. */
const MOST_PER_SECOND = 10;
/** How far a healthy process may lag another, in seconds. */
const USUAL_LAG_SECONDS = 6;

/** What lies between a client's number and the entry it receives next. */
const gapBefore = (entry: Entry, seq: number): Gap | null => {
  if (entry.seq === seq + 1) return null;
  const isOwn = entry.gap !== null && entry.gap.fromSeq <= seq + 1;
  return { fromSeq: seq + 1, toSeq: entry.seq - 1, reason: isOwn ? entry.gap.reason : "expired" };
};

/** A ring of entries, oldest first. */
export class Topic {
  readonly name: StreamName;
  readonly #ringMs: number;
  #entries: Entry[] = [];
  #isShown: (seq: number) => boolean = () => true;

  constructor(name: StreamName, ringMs: number) {
    this.name = name;
    this.#ringMs = ringMs;
  }

  get newest(): Entry | null {
    return this.#entries.at(-1) ?? null;
  }

  /** The newest entry, unless it was withdrawn: sent to new subscribers. */
  get shown(): Entry | null {
    const { newest } = this;
    return newest && this.#isShown(newest.seq) ? newest : null;
  }

  /** Shows only the entries that may be shown from now on. */
  show(isShown: (seq: number) => boolean): void {
    this.#isShown = isShown;
  }

  add(entry: Entry): void {
    this.newest?.release();
    // Entries of a numbering that restarted replace all earlier ones.
    if (this.newest && entry.seq <= this.newest.seq) this.#entries = [];
    this.#entries.push(entry);
    const cutMs = entry.atMs - this.#ringMs;
    // Half of them are dropped at once, so that eviction costs nothing per tick.
    if ((this.#entries[this.#entries.length >> 1]?.atMs ?? cutMs) < cutMs)
      this.#entries = this.#entries.filter(({ atMs }) => atMs >= cutMs);
  }

  /**
   * What follows a number.
   * @param seq the client's last number
   * @param nowMs Assay's clock, epoch milliseconds
   */
  since(seq: number, nowMs: number): MissedEntries {
    const { newest } = this;
    // A client may have numbers of a process that has received some already.
    if (!newest) return { ...NOTHING, isAhead: seq > 0 };
    if (newest.seq === seq) return NOTHING;
    if (seq > newest.seq) {
      const seconds = USUAL_LAG_SECONDS + Math.max(0, nowMs - newest.atMs) / 1_000;
      if (seq - newest.seq <= seconds * MOST_PER_SECOND) return { ...NOTHING, isAhead: true };
      return { isAhead: false, gap: { fromSeq: newest.seq, toSeq: seq, reason: "reset" }, entries: this.#shownOf([newest]) };
    }
    const cutMs = newest.atMs - this.#ringMs;
    const following = this.#entries.slice(this.#entries.findIndex((entry) => entry.seq > seq && entry.atMs >= cutMs));
    const withdrawn = following.findLastIndex((entry) => !this.#isShown(entry.seq));
    const [first, ...others] = following.slice(withdrawn + 1);
    if (!first) return { ...NOTHING, gap: { fromSeq: seq + 1, toSeq: newest.seq, reason: "expired" } };
    return { isAhead: false, gap: gapBefore(first, seq), entries: [first.gap ? first.behind(null) : first, ...others] };
  }

  #shownOf(entries: readonly Entry[]): readonly Entry[] {
    return entries.filter(({ seq }) => this.#isShown(seq));
  }
}
