/** A TCP proxy in front of Redis that can be cut or stalled, to test outages without touching the server. */
import { connect, createServer, type Server, type Socket } from "node:net";

/** Controls of the proxy. */
export interface Wire {
  /** URL of Redis through the proxy. */
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  readonly cut: () => Promise<void>;
  /** Connections stay open and new ones are accepted, but no data passes. */
  readonly stall: () => void;
  /** Resumes normal operation. */
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a proxy to a Redis. */
export const openWire = async (url: string): Promise<Wire> => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let isCut = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port || 6379), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      if (isStalled) one.pause();
      one.on("data", (data) => other.write(data));
      if (isStalled) one.pause();
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const path = new URL(url);
  path.hostname = "127.0.0.1";
  path.port = String(address.port);
  return {
    url: path.href,
    cut: async () => {
      isCut = true;
      await stop();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    mend: async () => {
      isStalled = false;
      for (const socket of sockets) socket.resume();
      if (isCut) await listen(address.port);
      isCut = false;
    },
    close: stop,
  };
};
