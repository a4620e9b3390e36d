/** One timer that looks after every connection, whatever is published or not. */
import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";

/** How often connections are looked after. */
const SWEEP_MS = 250;
/** Connections looked after before the event loop has a turn: those that came in one burst are due for a heartbeat together. */
const CONNECTIONS_PER_TURN = 100;

const sweepAll = async (connections: ReadonlySet<Connection>, clock: () => number): Promise<void> => {
  let swept = 0;
  for (const connection of connections) {
    connection.sweep(clock());
    swept += 1;
    if (swept % CONNECTIONS_PER_TURN === 0) await setImmediate();
  }
};

/** Starts sweeping; a sweep that takes longer than the interval is not joined by another. */
export const sweeper = (connections: ReadonlySet<Connection>, clock: () => number): { stop(): void } => {
  let isSweeping = false;
  const timer = setInterval(() => {
    if (isSweeping) return;
    isSweeping = true;
    sweepAll(connections, clock).finally(() => {
      isSweeping = false;
    });
  }, SWEEP_MS).unref();
  return { stop: () => clearInterval(timer) };
};
