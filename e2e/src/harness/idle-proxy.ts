/** A typical proxy: it closes connections that have been idle for a while. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A running proxy. */
export interface IdleProxy {
  readonly url: string;
  /** Connections it has closed as idle. */
  cuts(): number;
  close(): void;
}

/** Starts a proxy in front of a service. */
export const openIdleProxy = async (serviceUrl: string, idleMs: number): Promise<IdleProxy> => {
  const target = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const cut = (): void => {
      cuts += 1;
      near.destroy();
      far.destroy();
    };
    let timer = setTimeout(cut, idleMs);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (data) => {
        clearTimeout(timer);
        timer = setTimeout(cut, idleMs);
        other.write(data);
      });
      one.on("error", () => other.destroy());
      one.on("close", () => {
        clearTimeout(timer);
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
