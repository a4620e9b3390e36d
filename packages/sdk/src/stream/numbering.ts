/** Tracks the numbering of each name: repeats are dropped, and skipped numbers are reported as gaps. */
import type { GapFrame, HeartbeatFrame, PhysicalFrame, TickFrame } from "../generated/stream.ts";
import type { HeartbeatEvent, PhysicalEvent, StreamName, TickEvent } from "./events.ts";
import type { LastSeen } from "./options.ts";
import type { GapItem, Item } from "./queue.ts";

/** A number not above the last, on a value this much later, means the numbering restarted. */
const RESTARTED_AFTER_MS = 60_000;

interface Position {
  /** The highest number delivered or reported in a gap; null for none. */
  readonly seq: number | null;
  /** The latest time of a value so far, epoch milliseconds. */
  readonly atMs: number | null;
  /** Whether the service said that its numbering is behind. */
  readonly isReset: boolean;
  /** The price of the closed market that was delivered last, unless a tick followed. */
  readonly close: string | null;
}

const NOTHING: Position = { seq: null, atMs: null, isReset: false, close: null };

/** Identifies the price of a closed market, which has no number of its own; null for other values. */
const closeOf = (event: TickEvent | PhysicalEvent): string | null =>
  event.type === "tick" && event.staleReason !== undefined ? `${event.computedAt.getTime()} ${event.price.text}` : null;

/** A frame with a number. */
export type NumberedFrame = TickFrame | PhysicalFrame | GapFrame | HeartbeatFrame;

/** The numbering of every name of one subscription, across all its connections. */
export class Numbering {
  readonly #positions = new Map<string, Position>();

  /**
   * Starts to track a name; one already tracked is unchanged.
   * @param last the reader's last value from an earlier run
   */
  follow(name: StreamName, last: LastSeen | null = null): void {
    if (!this.#positions.has(name)) this.#positions.set(name, { ...NOTHING, ...last });
  }

  /** Stops tracking a name: its later frames are dropped. */
  forget(name: StreamName): void {
    this.#positions.delete(name);
  }

  /** The last number of a name, after which a new connection resumes; null for none. */
  seqOf(name: StreamName): number | null {
    return this.#positions.get(name)?.seq ?? null;
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
    const position = this.#positions.get(name);
    if (position === undefined) return [];
    const { seq, atMs: latestMs, isReset } = position;
    const close = closeOf(event);
    const isRepeat = close !== null && event.seq === seq;
    const value: Item = { kind: "value", name, seq: event.seq, isRepeat, atMs, sinceMs: latestMs, event };
    if (isRepeat) {
      // Sent again by every new connection.
      if (close === position.close) return [];
      this.#positions.set(name, { ...position, close });
      return [value];
    }
    const expected = seq === null ? event.seq : seq + 1;
    if (event.seq >= expected) {
      this.#positions.set(name, { seq: event.seq, atMs: Math.max(atMs, latestMs ?? atMs), isReset: false, close });
      return event.seq === expected ? [value] : [gapOf(name, expected, event.seq - 1, "missed", latestMs, atMs), value];
    }
    // A repeat or a late value; but a later price under a lower number means the numbering restarted.
    const restartedFromMs = (latestMs ?? Number.NEGATIVE_INFINITY) + (isReset ? 0 : RESTARTED_AFTER_MS);
    // The time of a close says nothing about the numbering.
    if (atMs <= restartedFromMs || ((latestMs === null || close !== null) && !isReset)) return [];
    this.#positions.set(name, { seq: event.seq, atMs, isReset: false, close });
    return [gapOf(name, event.seq, expected - 1, "reset", latestMs, atMs), value];
  }

  #gap({ symbol, fromSeq, toSeq, reason }: GapFrame, nowMs: number): Item[] {
    const position = this.#positions.get(symbol);
    if (position === undefined) return [];
    const { seq, atMs } = position;
    if (reason === "reset") {
      // A process that lags slightly says the same; its next frames show which it is.
      if (seq !== null) this.#positions.set(symbol, { ...position, isReset: true });
      return [];
    }
    const firstMissing = seq === null ? fromSeq : seq + 1;
    if (toSeq < firstMissing) return [];
    this.#positions.set(symbol, { ...position, seq: toSeq });
    return [gapOf(symbol as StreamName, firstMissing, toSeq, reason, atMs, nowMs)];
  }

  #heartbeat(frame: HeartbeatFrame, nowMs: number): Item[] {
    const items: Item[] = [];
    for (const [name, newest] of Object.entries(frame.seq)) {
      const position = this.#positions.get(name);
      if (position === undefined || position.seq === null || newest <= position.seq) continue;
      items.push(gapOf(name as StreamName, position.seq + 1, newest, "missed", position.atMs, nowMs));
      this.#positions.set(name, { ...position, seq: newest });
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
