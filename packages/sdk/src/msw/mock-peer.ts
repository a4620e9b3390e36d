/** One client of a mocked stream, over either transport. */
import type { StreamName } from "../stream/events.ts";

/** The operations of a mocked stream on a client. */
export interface MockPeer {
  readonly transport: "websocket" | "sse";
  /** The key it sent. */
  readonly key: string | null;
  /** The names it follows. */
  readonly names: ReadonlySet<StreamName>;
  send(frame: object): void;
  /** Closes it, with an `error` frame when there is a code. */
  end(close: number, code: string | null): void;
}

/** The stream as its transports see it. */
export interface MockHub {
  /** Why new clients are refused; null when they are accepted. */
  readonly refusal: RefusedStream | null;
  /** Called when a client connects. */
  enter(peer: MockPeer): void;
  /** Called when a client follows a name; returns the first frames to send, in order. */
  framesFor(name: StreamName, last: number | null): readonly object[];
  /** Called when the followed names change. */
  changed(): void;
  /** Called when a client disconnects. */
  leave(peer: MockPeer): void;
}

/** Why a stream may be refused. */
export type RefusedStream = "unauthenticated" | "plan_gated" | "too_many_connections" | "auth_unavailable";
