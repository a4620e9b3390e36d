/** Tracks the numbering of each name: repeats are dropped, skipped numbers are reported as gaps. */
import type { GapFrame, HeartbeatFrame, PhysicalFrame, TickFrame } from "../generated/stream.ts";
import type { HeartbeatEvent, PhysicalEvent, StreamName, TickEvent } from "./events.ts";
import type { GapItem, Item } from "./items.ts";
import type { LastSeen } from "./options.ts";

/** A number not above the last, on a value this much later, means the numbering restarted. */
const ANEW_AFTER_MS = 60_000;

interface Standing {
  /** The highest number delivered or reported in a gap; null for none. */
  readonly seq: number | null;
  /** The latest time of a value so far, epoch milliseconds. */
  readonly atMs: number | null;
  /** Whether the service said that its numbering is behind. */
  readonly isReset: boolean;
}

const NOTHING: Standing = { seq: null, atMs: null, isReset: false };

/** A frame with a number. */
export type NumberedFrame = TickFrame | PhysicalFrame | GapFrame | HeartbeatFrame;

/** The numberings of one subscription, across all its connections. */
export class Ledger {
  readonly #standings = new Map<string, Standing>();

  /**
   * Starts to track a name; one already tracked is unchanged.
   * @param last the reader's last value from an earlier run
   */
  follow(name: StreamName, last: LastSeen | null = null): void {
    if (!this.#standings.has(name)) this.#standings.set(name, { ...NOTHING, ...last });
  }

  /** Stops tracking a name: its later frames are dropped. */
  forget(name: StreamName): void {
    this.#standings.delete(name);
  }

  /** The last number of a name, after which a new connection resumes; null for none. */
  seqOf(name: StreamName): number | null {
    return this.#standings.get(name)?.seq ?? null;
  }

  /**
   * Applies a frame.
   * @param nowMs the service's clock, epoch milliseconds
   * @returns the items for the reader, in order; none for names that are not followed
   */
  take(frame: NumberedFrame, nowMs: number): Item[] {
    if (frame.type === "gap") return this.#gap(frame, nowMs);
    if (frame.type === "heartbeat") return this.#heartbeat(frame, nowMs);
    const [name, atMs] =
      frame.type === "tick" ? [frame.symbol, frame.computedAt.getTime()] : [frame.channel, frame.quote.quotedAt.getTime()];
    // The name is followed, so it is one of the contract's.
    return this.#value(name as StreamName, atMs, frame as TickEvent | PhysicalEvent);
  }

  #value(name: StreamName, atMs: number, event: TickEvent | PhysicalEvent): Item[] {
    const standing = this.#standings.get(name);
    if (standing === undefined) return [];
    const { seq, atMs: latestMs, isReset } = standing;
    const value: Item = { kind: "value", name, seq: event.seq, atMs, sinceMs: latestMs, event };
    const expected = seq === null ? event.seq : seq + 1;
    if (event.seq >= expected) {
      this.#standings.set(name, { seq: event.seq, atMs: Math.max(atMs, latestMs ?? atMs), isReset: false });
      return event.seq === expected ? [value] : [gapOf(name, expected, event.seq - 1, "missed", latestMs, atMs), value];
    }
    // A repeat or a late value; but a later price under a lower number means the numbering restarted.
    const anewFromMs = (latestMs ?? Number.NEGATIVE_INFINITY) + (isReset ? 0 : ANEW_AFTER_MS);
    if (atMs <= anewFromMs || (latestMs === null && !isReset)) return [];
    this.#standings.set(name, { seq: event.seq, atMs, isReset: false });
    return [gapOf(name, event.seq, expected - 1, "reset", latestMs, atMs), value];
  }

  #gap({ symbol, fromSeq, toSeq, reason }: GapFrame, nowMs: number): Item[] {
    const standing = this.#standings.get(symbol);
    if (standing === undefined) return [];
    const { seq, atMs } = standing;
    if (reason === "reset") {
      // A process that lags slightly says the same; its next frames show which it is.
      if (seq !== null) this.#standings.set(symbol, { ...standing, isReset: true });
      return [];
    }
    const firstMissing = seq === null ? fromSeq : seq + 1;
    if (toSeq < firstMissing) return [];
    this.#standings.set(symbol, { ...standing, seq: toSeq });
    return [gapOf(symbol as StreamName, firstMissing, toSeq, reason, atMs, nowMs)];
  }

  #heartbeat(frame: HeartbeatFrame, nowMs: number): Item[] {
    const items: Item[] = [];
    for (const [name, newest] of Object.entries(frame.seq)) {
      const standing = this.#standings.get(name);
      if (standing === undefined || standing.seq === null || newest <= standing.seq) continue;
      items.push(gapOf(name as StreamName, standing.seq + 1, newest, "missed", standing.atMs, nowMs));
      this.#standings.set(name, { ...standing, seq: newest });
    }
    return [...items, { kind: "note", event: frame as HeartbeatEvent }]; // its names are the followed ones
  }
}

const gapOf = (
  name: StreamName,
  fromSeq: number,
  toSeq: number,
  reason: GapItem["reason"],
  sinceMs: number | null,
  untilMs: number,
): GapItem => ({ kind: "gap", name, fromSeq, toSeq, reason, sinceMs, untilMs });
