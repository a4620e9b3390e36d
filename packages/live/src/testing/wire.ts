/** A proxy to a server that can be cut or stalled, to test outages without harming the server. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire {
  /** The server's address through the proxy. */
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Connections stay open and new ones are accepted, but no data passes. */
  stall(): void;
  /** What the server answers arrives this much later, one answer after another. */
  delay(ms: number): void;
  /** Connects to another server from now on; connections there are stay with this one, as after a change in DNS. */
  point(url: string): void;
  /** Connects to another server from now on, and closes the connections to this one. */
  redirect(url: string): void;
  /** Everything passes again. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Writes to a socket in order, each part no earlier than it is due. */
const delayed = (socket: Socket, delayMs: () => number): ((data: Buffer) => void) => {
  const held: { readonly data: Buffer; readonly dueMs: number }[] = [];
  // One timer for the oldest part: Node cuts a timer's fraction, so one timer for each may let a part overtake the one before.
  const passOn = (): void => {
    for (let [oldest] = held; oldest !== undefined; [oldest] = held) {
      const leftMs = oldest.dueMs - performance.now();
      if (leftMs > 0) {
        setTimeout(passOn, leftMs);
        return;
      }
      held.shift();
      if (!socket.destroyed) socket.write(oldest.data);
    }
  };
  return (data) => {
    held.push({ data, dueMs: performance.now() + delayMs() });
    if (held.length === 1) passOn();
  };
};

export const openWire = async (url: string, defaultPort: number): Promise<Wire> => {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let delayMs = 0;
  /** @param isAnswer whether it carries what the server says */
  const join = (one: Socket, other: Socket, isAnswer: boolean): void => {
    sockets.add(one);
    one.on(
      "data",
      delayed(other, () => (isAnswer ? delayMs : 0)),
    );
    one.on("error", () => other.destroy());
    one.on("close", () => {
      sockets.delete(one);
      other.destroy();
    });
    if (isStalled) one.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port) || defaultPort, target.hostname);
    join(near, far, false);
    join(far, near, true);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo; // it listens on a port
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : null;
    if (closed) server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  return {
    url: through.href,
    cut,
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    point: (to) => {
      target = new URL(to);
    },
    redirect: (to) => {
      target = new URL(to);
      for (const socket of sockets) socket.destroy();
    },
    recover: async () => {
      isStalled = false;
      delayMs = 0;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
};
