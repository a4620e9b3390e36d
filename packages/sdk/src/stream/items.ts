/** The items queued between the connections and the reader. */
import type { GapFrame } from "../generated/stream.ts";
import type { HeartbeatEvent, PhysicalEvent, StatusEvent, StreamName, TickEvent } from "./events.ts";

/** Why numbers are missing. */
export type GapReason = GapFrame["reason"];

/** A tick or quote in order. */
export interface ValueItem {
  readonly kind: "value";
  readonly name: StreamName;
  readonly seq: number;
  /** When it was computed or quoted, epoch milliseconds. */
  readonly atMs: number;
  /** The same for the value before it; null when there was none. */
  readonly sinceMs: number | null;
  readonly event: TickEvent | PhysicalEvent;
}

/** Numbers that will not be delivered. */
export interface GapItem {
  readonly kind: "gap";
  readonly name: StreamName;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: GapReason;
  /** The missed time: from the last value before it, null when there was none, to when it was noticed. */
  readonly sinceMs: number | null;
  readonly untilMs: number;
}

/** An item without a number. */
export interface NoteItem {
  readonly kind: "note";
  readonly event: HeartbeatEvent | StatusEvent;
}

/** Any queued item. */
export type Item = ValueItem | GapItem | NoteItem;
