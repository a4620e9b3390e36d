/** One timer that checks every connection, independent of what is published: ended keys, full sockets, due times. */
import { setImmediate } from "node:timers/promises";
import type { Connection, ConnectionParts } from "./connection.ts";
import type { KeyWatch } from "./key-watch.ts";

/** How often connections are checked. */
export const SWEEP_MS = 250;
/** Connections checked before yielding to the event loop: those that arrived in one burst are due for a heartbeat together. */
const CONNECTIONS_PER_TURN = 100;

/** What a sweep checks. */
export interface Swept extends Pick<ConnectionParts, "calendar" | "backedUp" | "clock" | "elapsed" | "log"> {
  readonly keys: KeyWatch<Connection>;
}

const sweepAll = async ({ calendar, backedUp, keys, clock, elapsed, log }: Swept): Promise<void> => {
  let swept = 0;
  const each = async (connections: Iterable<Connection>, look: (connection: Connection) => void): Promise<void> => {
    for (const connection of connections) {
      // A failure closes that connection only; the others are still checked.
      try {
        look(connection);
      } catch (error) {
        log.error({ err: error, connection: connection.id }, "a stream failed; closing it");
        connection.abandon();
      }
      swept += 1;
      if (swept % CONNECTIONS_PER_TURN === 0) await setImmediate();
    }
  };
  await each(keys.ended(clock()), (connection) => connection.step({ name: "revoked" }));
  await each(backedUp, (connection) => connection.relieve());
  await each(calendar.take(elapsed()), (connection) => connection.step({ name: "tick" }));
};

/** Starts sweeping; sweeps never overlap. */
export const sweeper = (swept: Swept): { stop(): void } => {
  let isSweeping = false;
  const timer = setInterval(() => {
    if (isSweeping) return;
    isSweeping = true;
    sweepAll(swept)
      .catch((error: unknown) => swept.log.error({ err: error }, "the sweep of streams failed; retrying"))
      .finally(() => {
        isSweeping = false;
      });
  }, SWEEP_MS).unref();
  return { stop: () => clearInterval(timer) };
};
