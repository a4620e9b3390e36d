/** What a subscription yields. */
import type { GapFrame, HeartbeatFrame, PhysicalChannel, PhysicalFrame, StreamSymbol, TickFrame } from "../generated/stream.ts";
import type { Bar } from "../generated/types.ts";
import type { RejectedName } from "./errors.ts";

/** Something that is followed: a symbol, or a channel of dealers' quotes. Each has a numbering of its own. */
export type StreamName = StreamSymbol | PhysicalChannel;

/** A published price. `seq` rises by one per symbol; a number that is skipped was named by a `gap` before. */
export interface TickEvent extends TickFrame {
  /** The symbol. */
  readonly symbol: StreamSymbol;
}

/** A dealer's quote changed. */
export interface PhysicalEvent extends PhysicalFrame {
  /** The channel. */
  readonly channel: PhysicalChannel;
}

/** The connection lives. */
export interface HeartbeatEvent extends HeartbeatFrame {
  /** The newest number of each name that is followed. */
  readonly seq: Readonly<Partial<Record<StreamName, number>>>;
}

/**
 * Numbers from `fromSeq` to `toSeq` that are not delivered.
 * - `expired`: missed for longer than the service keeps ticks
 * - `missed`: lost on the way, or the service itself does not have them
 * - `slow_consumer`: they came faster than they were read; the newest follows
 * - `reset`: the service's numbering began anew; the next tick has the number `fromSeq`
 */
export interface GapEvent extends GapFrame {
  /** The symbol or channel. */
  readonly symbol: StreamName;
  /**
   * With `fillGaps`: the closed minutes of the missed time, oldest first, at most a day of them.
   * Null for channels, where nothing was asked for, and where they could not be had, as when nothing was received before the gap.
   */
  readonly bars: readonly Bar[] | null;
  /** Why `bars` could not be had; null where nothing failed. */
  readonly barsError: Error | null;
}

/** A connection is being made. `attempt` is 0 at first, else how often it failed in a row. */
export interface ConnectingEvent {
  readonly type: "status";
  readonly status: "connecting";
  /** What goes over this connection. */
  readonly names: readonly StreamName[];
  readonly attempt: number;
}

/** The service follows these names, from now on or still; `rejected` are those of the last request that it does not. */
export interface OpenEvent {
  readonly type: "status";
  readonly status: "open";
  readonly names: readonly StreamName[];
  readonly rejected: readonly RejectedName[];
}

/** A connection was lost; the next attempt is made after `delayMs`. */
export interface ReconnectingEvent {
  readonly type: "status";
  readonly status: "reconnecting";
  readonly names: readonly StreamName[];
  /** How often it failed in a row. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** What happened, in words. */
  readonly reason: string;
  /** The WebSocket close code; null where there was none. */
  readonly close: number | null;
}

/** The stream ended; nothing follows but the error, where there is one. */
export interface ClosedEvent {
  readonly type: "status";
  readonly status: "closed";
  readonly names: readonly StreamName[];
  /** What ended it; null where `close()` did. */
  readonly reason: string | null;
}

/** How the connection stands. */
export type StatusEvent = ConnectingEvent | OpenEvent | ReconnectingEvent | ClosedEvent;

/** Whatever a subscription yields, told apart by `type`. */
export type StreamEvent = TickEvent | PhysicalEvent | GapEvent | HeartbeatEvent | StatusEvent;
