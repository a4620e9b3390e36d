/** Cuts connections whose peer takes nothing of what is sent to it. One timer looks at all connections of a server. */
import type { Socket } from "node:net";

/** How long a peer may take nothing while something waits for it. */
const STALLED_MS = 30_000;
const LOOK_EVERY_MS = 1_000;

/** Where a connection stood when its peer last took something. */
interface Progress {
  readonly taken: number;
  readonly atMs: number;
}

/** Streams, whose slow readers have a rule of their own. */
const exempt = new WeakSet<Socket>();

/** Leaves a connection to an owner that ends slow readers itself. */
export const exemptFromStall = (connection: Socket): void => {
  exempt.add(connection);
};

/**
 * The bytes that the kernel has taken. `bytesWritten` counts a write as soon as it is begun, and of a large one that is most of an
 * answer; only the handle knows how much of it still waits in the process.
 */
const takenBy = (connection: Socket): number => {
  // Node types no handle. It is null once the connection is destroyed.
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
