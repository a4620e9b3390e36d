/** Closes connections whose peer has stopped reading. One timer checks all connections of a server. */
import type { Socket } from "node:net";

/** How long a peer may read nothing while data is waiting for it. */
const STALLED_MS = 30_000;
const LOOK_EVERY_MS = 1_000;

/** A connection's progress when its peer last read something. */
interface Progress {
  readonly taken: number;
  readonly atMs: number;
}

/** Streams: they have their own rule for slow readers. */
const exempt = new WeakSet<Socket>();

/** Exempts a connection whose owner closes slow readers itself. */
export const exemptFromStall = (connection: Socket): void => {
  exempt.add(connection);
};

/**
 * The bytes the kernel has accepted. `bytesWritten` counts a write as soon as it starts, which for a large one is most of an
 * answer; only the handle knows how much is still queued in the process.
 */
const takenBy = (connection: Socket): number => {
  // Node does not type the handle. It is null once the connection is destroyed.
  const { _handle: handle } = connection as {
    _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
};

/** Starts watching. */
export const watchStalled = (connections: ReadonlySet<Socket>): { stop(): void } => {
  const waiting = new WeakMap<Socket, Progress>();
  const look = (connection: Socket, nowMs: number): void => {
    if (connection.writableLength === 0 || exempt.has(connection)) {
      waiting.delete(connection);
      return;
    }
    const taken = takenBy(connection);
    const before = waiting.get(connection);
    if (before?.taken !== taken) waiting.set(connection, { taken, atMs: nowMs });
    else if (nowMs - before.atMs >= STALLED_MS) connection.destroy();
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of connections) look(connection, nowMs);
  }, LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
};
