/** What was published under one name in the last minutes, for those who come late. */
import type { StreamName } from "@assay/contract";
import type { Entry, Gap } from "./entry.ts";

/** What somebody who names the last number it has is owed. */
export interface Owed {
  /** Numbers it will not get. */
  readonly gap: Gap | null;
  /** What follows, oldest first; behind a gap the newest alone, as a snapshot. */
  readonly entries: readonly Entry[];
}

const NOTHING: Owed = { gap: null, entries: [] };

/** A ring of entries, oldest first. */
export class Topic {
  readonly name: StreamName;
  readonly #ringMs: number;
  #entries: Entry[] = [];

  constructor(name: StreamName, ringMs: number) {
    this.name = name;
    this.#ringMs = ringMs;
  }

  get newest(): Entry | null {
    return this.#entries.at(-1) ?? null;
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
   */
  since(seq: number): Owed {
    const { newest } = this;
    if (!newest || newest.seq === seq) return NOTHING;
    if (seq > newest.seq) return { gap: { fromSeq: newest.seq, toSeq: seq, reason: "reset" }, entries: [newest] };
    const first = this.#entries.findIndex((entry) => entry.seq > seq);
    const following = this.#entries.slice(first);
    const [oldest] = following;
    if (oldest && oldest.fromSeq <= seq + 1) return { gap: null, entries: following };
    return { gap: { fromSeq: seq + 1, toSeq: newest.seq - 1, reason: "expired" }, entries: [newest] };
  }
}
