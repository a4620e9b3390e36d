/** HTTP by hand over a socket, for what no client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** A connection, with what came back so far. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** Everything that came back, once it holds. */
  until(holds: (received: string) => boolean): Promise<string>;
  /** Everything that came back, once the other side has ended the connection. */
  ended(): Promise<string>;
}

/** Lets the event loop turn until something holds. It ends with the test at the latest. */
export const turnUntil = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await setImmediate();
};

/**
 * Connects.
 * @param onTestFinished hears how the connection is ended
 */
export const connectRaw = async (port: number, onTestFinished: (end: () => void) => void): Promise<RawConnection> => {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => socket.destroy());
  let received = "";
  socket.on("data", (text: string) => {
    received += text;
  });
  // A reset is an end as well.
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
