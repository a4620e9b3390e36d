/** One client of a mocked stream, whichever wire it is on. */
import type { StreamName } from "../stream/events.ts";

/** What a mocked stream does with a client. */
export interface MockPeer {
  readonly transport: "websocket" | "sse";
  /** The key it came with. */
  readonly key: string | null;
  /** What it follows now. */
  readonly names: ReadonlySet<StreamName>;
  send(frame: object): void;
  /** Ends it, saying why in an `error` frame where there is a code. */
  end(close: number, code: string | null): void;
}

/** The stream as its wires see it. */
export interface MockHub {
  /** Why newcomers are refused; null where they are let in. */
  readonly refusal: RefusedStream | null;
  /** A client is there. */
  enter(peer: MockPeer): void;
  /** A client follows a name: what it gets first, in order. */
  framesFor(name: StreamName, last: number | null): readonly object[];
  /** What is followed has changed. */
  changed(): void;
  /** A client is gone. */
  leave(peer: MockPeer): void;
}

/** Why a stream may be refused. */
export type RefusedStream = "unauthenticated" | "plan_gated" | "too_many_connections" | "auth_unavailable";
