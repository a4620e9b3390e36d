/** One timer that looks after every connection, whatever is published or not: the keys that end, the sockets that are backed up, the time. */
import { setImmediate } from "node:timers/promises";
import type { Connection, ConnectionParts } from "./connection.ts";
import type { KeyWatch } from "./key-watch.ts";

/** How often connections are looked after. */
export const SWEEP_MS = 250;
/** Connections looked after before the event loop has a turn: those that came in one burst are due for a heartbeat together. */
const CONNECTIONS_PER_TURN = 100;

/** What is swept. */
export interface Swept extends Pick<ConnectionParts, "calendar" | "backedUp" | "clock" | "elapsed" | "log"> {
  readonly keys: KeyWatch;
}

const sweepAll = async ({ calendar, backedUp, keys, clock, elapsed, log }: Swept): Promise<void> => {
  let swept = 0;
  const each = async (connections: Iterable<Connection>, look: (connection: Connection) => void): Promise<void> => {
    for (const connection of connections) {
      // What fails for one ends that one; everybody else is looked after.
      try {
        look(connection);
      } catch (error) {
        log.error({ err: error, connection: connection.id }, "a stream failed and is ended");
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

/** Starts sweeping; a sweep that takes longer than the interval is not joined by another. */
export const sweeper = (swept: Swept): { stop(): void } => {
  let isSweeping = false;
  const timer = setInterval(() => {
    if (isSweeping) return;
    isSweeping = true;
    sweepAll(swept)
      .catch((error: unknown) => swept.log.error({ err: error }, "streams were not looked after; it is tried again"))
      .finally(() => {
        isSweeping = false;
      });
  }, SWEEP_MS).unref();
  return { stop: () => clearInterval(timer) };
};
