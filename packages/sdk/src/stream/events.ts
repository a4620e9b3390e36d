/** The events of a subscription. */
import type { GapFrame, HeartbeatFrame, PhysicalChannel, PhysicalFrame, StreamSymbol, TickFrame } from "../generated/stream.ts";
import type { Bar } from "../generated/types.ts";
import type { RejectedName } from "./errors.ts";

/** What can be followed: a symbol, or a channel of dealers' quotes. Each has its own numbering. */
export type StreamName = StreamSymbol | PhysicalChannel;

/**
 * A published price. `seq` rises by one per symbol; skipped numbers were reported by a `gap` before. With `staleReason` it is the
 * price of a closed market, as `spot` shows it: delivered once, under the last number, which an earlier tick may have had.
 */
export interface TickEvent extends TickFrame {
  /** The symbol. */
  readonly symbol: StreamSymbol;
}

/** A dealer's quote changed. */
export interface PhysicalEvent extends PhysicalFrame {
  /** The channel. */
  readonly channel: PhysicalChannel;
}

/** The connection is alive. */
export interface HeartbeatEvent extends Omit<HeartbeatFrame, "seq"> {
  /** The newest number of each followed name. */
  readonly seq: Readonly<Partial<Record<StreamName, number>>>;
}

/**
 * Numbers from `fromSeq` to `toSeq` that are not delivered.
 * - `expired`: missed for longer than the service keeps ticks
 * - `missed`: lost in transit, or missing in the service itself
 * - `slow_consumer`: they arrived faster than they were read; the newest follows
 * - `reset`: the service's numbering restarted; the next tick has the number `fromSeq`
 */
export interface GapEvent extends GapFrame {
  /** The symbol or channel. */
  readonly symbol: StreamName;
  /**
   * With `fillGaps`: the closed minutes of the missed time, oldest first, at most a day of them. Null for channels, when not
   * requested, and when unavailable, as when nothing was received before the gap.
   */
  readonly bars: readonly Bar[] | null;
  /** Why `bars` could not be fetched; null when nothing failed. */
  readonly barsError: Error | null;
}

/** Connecting. `attempt` is 0 at first, else the number of failures in a row. */
export interface ConnectingEvent {
  readonly type: "status";
  readonly status: "connecting";
  /** The names followed over this connection. */
  readonly names: readonly StreamName[];
  readonly attempt: number;
}

/** The service now follows these names; `rejected` are those of the last request it refuses. */
export interface OpenEvent {
  readonly type: "status";
  readonly status: "open";
  readonly names: readonly StreamName[];
  readonly rejected: readonly RejectedName[];
}

/** The connection was lost; the next attempt follows after `delayMs`. */
export interface ReconnectingEvent {
  readonly type: "status";
  readonly status: "reconnecting";
  readonly names: readonly StreamName[];
  /** The number of failures in a row. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** What happened, in words. */
  readonly reason: string;
  /** The WebSocket close code; null when there was none. */
  readonly close: number | null;
}

/** The stream ended; nothing follows except the error, if any. */
export interface ClosedEvent {
  readonly type: "status";
  readonly status: "closed";
  readonly names: readonly StreamName[];
  /** The error that ended it; null after `close()`. */
  readonly reason: string | null;
}

/** The status of a connection. */
export type StatusEvent = ConnectingEvent | OpenEvent | ReconnectingEvent | ClosedEvent;

/** Any event of a subscription, discriminated by `type`. */
export type StreamEvent = TickEvent | PhysicalEvent | GapEvent | HeartbeatEvent | StatusEvent;
