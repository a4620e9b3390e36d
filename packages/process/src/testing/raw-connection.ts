/** HTTP over a raw socket, for requests no client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** A connection, with what was received so far. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** Resolves with everything received, once it satisfies a condition. */
  until(holds: (received: string) => boolean): Promise<string>;
  /** Resolves with everything received, once the peer has closed the connection. */
  ended(): Promise<string>;
}

/** Waits, turn by turn of the event loop, for a condition; stops when the test ends. */
export const turnUntil = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await setImmediate();
};

/**
 * Connects.
 * @param onTestFinished receives the function that closes the connection
 */
export const connectRaw = async (port: number, onTestFinished: (end: () => void) => void): Promise<RawConnection> => {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => socket.destroy());
  let received = "";
  socket.on("data", (text: string) => {
    received += text;
  });
  // A reset counts as a close.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return {
    socket,
    send: (text) => void socket.write(text, "latin1"),
    until: async (holds) => {
      await turnUntil(() => holds(received) || socket.closed);
      return received;
    },
    ended: async () => {
      await turnUntil(() => socket.closed);
      return received;
    },
  };
};

/** The statuses of all answers in a text, in order. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
