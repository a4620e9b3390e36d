/** Cuts connections whose peer has stopped reading. One timer looks at all connections of a server. */
import type { Socket } from "node:net";
import { carriesStream } from "./pipeline.ts";

const LOOK_EVERY_MS = 1_000;
/**
 * How many looks in a row may find no progress: 30 seconds, counted in looks, because an event loop that stood has handed on nothing
 * that a peer could have read.
 */
const STALLED_LOOKS = 30;

/** A connection with bytes to write, as of the last look. */
interface Waiting {
  readonly taken: number;
  readonly looks: number;
}

/**
 * The bytes the kernel has taken. `bytesWritten` counts a write as soon as it starts, which for a large one is most of an answer; only
 * the handle knows how much of it the process still holds.
 */
const takenFrom = (connection: Socket): number => {
  // Node does not type the handle. It is null once the connection is destroyed.
  const { _handle: handle } = connection as {
    _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
};

/** Starts to watch. Streams have a rule of their own for slow readers. @returns what ends it */
export const watchStalled = (connections: ReadonlySet<Socket>): (() => void) => {
  const waiting = new WeakMap<Socket, Waiting>();
  const look = (connection: Socket): void => {
    if (connection.writableLength === 0 || carriesStream(connection)) {
      waiting.delete(connection);
      return;
    }
    const taken = takenFrom(connection);
    const before = waiting.get(connection);
    const looks = before?.taken === taken ? before.looks + 1 : 0;
    if (looks >= STALLED_LOOKS) connection.destroy();
    else waiting.set(connection, { taken, looks });
  };
  const timer = setInterval(() => {
    for (const connection of connections) look(connection);
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
};
