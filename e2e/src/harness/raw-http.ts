/** HTTP over a raw socket, for requests no client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A connection, with everything received so far. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  received(): string;
  /** Whether the peer has closed it. */
  isClosed(): boolean;
  /** Resolves when it is closed, with everything received. */
  closed(withinMs: number): Promise<string>;
  /** Resolves when the received text matches. */
  until(pattern: RegExp, withinMs?: number): Promise<string>;
  destroy(): void;
}

/** Opens a connection to a service. */
export const openRaw = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  let isClosed = false;
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  // A reset also counts as a close; what was received before it is kept.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  await once(socket, "connect");
  const waitFor = async (what: string, holds: () => boolean, withinMs: number): Promise<string> => {
    const endMs = performance.now() + withinMs;
    while (!holds()) {
      if (performance.now() > endMs)
        throw new Error(`not within ${withinMs} ms: ${what}; received ${JSON.stringify(received.slice(0, 400))}`);
      await sleep(10);
    }
    return received;
  };
  return {
    socket,
    send: (text) => {
      socket.write(text, "latin1");
    },
    received: () => received,
    isClosed: () => isClosed,
    closed: (withinMs) => waitFor("the end of the connection", () => isClosed, withinMs),
    until: (pattern, withinMs = 10_000) => waitFor(String(pattern), () => pattern.test(received), withinMs),
    destroy: () => socket.destroy(),
  };
};

/** The statuses of all answers in a text, in order. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) => Number(status));
