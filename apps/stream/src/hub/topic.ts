/** What was published under one name in the last minutes, for those who come late. */
import type { StreamName } from "@assay/contract";
import type { Entry, Gap } from "./entry.ts";

/** What somebody who names the last number it has is owed. */
export interface Owed {
  /** Whether that number may only not have come here yet, as this process is behind another. */
  readonly isAhead: boolean;
  /** Numbers it will not get. */
  readonly gap: Gap | null;
  /** What follows, oldest first; behind a gap the newest alone, as a snapshot. */
  readonly entries: readonly Entry[];
}

const NOTHING: Owed = { isAhead: false, gap: null, entries: [] };

/** No name is published more often than this, per second. */
const MOST_PER_SECOND = 10;
/** How far behind another a process is that hears everything, in seconds. */
const USUAL_LAG_SECONDS = 6;

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

  /** The newest entry, unless it was withdrawn: what somebody who has just come is shown. */
  get shown(): Entry | null {
    const { newest } = this;
    return newest && this.#isShown(newest.seq) ? newest : null;
  }

  /** From now on shows those entries alone that may be shown. */
  show(isShown: (seq: number) => boolean): void {
    this.#isShown = isShown;
  }

  /** Adds the next entry. */
  add(entry: Entry): void {
    // A numbering that began anew has nothing to do with the one before.
    if (this.newest && entry.seq <= this.newest.seq) this.#entries = [];
    this.#entries.push(entry);
    const cutMs = entry.atMs - this.#ringMs;
    // Half of them are dropped at once, so that forgetting costs nothing per tick.
    if ((this.#entries[this.#entries.length >> 1]?.atMs ?? cutMs) < cutMs)
      this.#entries = this.#entries.filter(({ atMs }) => atMs >= cutMs);
  }

  /**
   * What follows a number.
   * @param seq the last number somebody has
   * @param nowMs Assay's clock, epoch milliseconds
   */
  since(seq: number, nowMs: number): Owed {
    const { newest } = this;
    if (!newest || newest.seq === seq) return NOTHING;
    if (seq > newest.seq) {
      const seconds = USUAL_LAG_SECONDS + Math.max(0, nowMs - newest.atMs) / 1_000;
      if (seq - newest.seq <= seconds * MOST_PER_SECOND) return { ...NOTHING, isAhead: true };
      return { isAhead: false, gap: { fromSeq: newest.seq, toSeq: seq, reason: "reset" }, entries: this.#shownOf([newest]) };
    }
    const cutMs = newest.atMs - this.#ringMs;
    const following = this.#entries.filter((entry) => entry.seq > seq);
    const withdrawn = following.findLast((entry) => !this.#isShown(entry.seq));
    if (withdrawn) {
      const entries = this.#shownOf(following.filter((entry) => entry.seq > withdrawn.seq).slice(-1));
      const toSeq = (entries[0]?.seq ?? withdrawn.seq + 1) - 1;
      return { isAhead: false, gap: { fromSeq: seq + 1, toSeq, reason: "expired" }, entries };
    }
    const [oldest] = following;
    if (oldest && oldest.fromSeq <= seq + 1 && oldest.atMs >= cutMs) return { ...NOTHING, entries: following };
    return { isAhead: false, gap: { fromSeq: seq + 1, toSeq: newest.seq - 1, reason: "expired" }, entries: [newest] };
  }

  #shownOf(entries: readonly Entry[]): readonly Entry[] {
    return entries.filter(({ seq }) => this.#isShown(seq));
  }
}
