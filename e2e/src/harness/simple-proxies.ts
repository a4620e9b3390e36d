/** Stand-ins for proxies of operators: one that serves below a path, and one that closes connections which have been idle. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";

interface PrefixProxy {
  /** The service's URL behind it, without a slash at its end. */
  readonly url: string;
  close(): void;
}

/**
 * Starts it.
 * @param service the URL behind it
 * @param prefix with a slash in front, none at its end; everything else is 404
 */
export const openPrefixProxy = async (service: string, prefix: string): Promise<PrefixProxy> => {
  const { hostname, port } = new URL(service);
  const server = createServer((incoming, response) => {
    const { url = "/", method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const outgoing = request({ hostname, port, method, headers, path: url.slice(prefix.length) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${address.port}${prefix}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

interface IdleProxy {
  readonly url: string;
  /** Connections it has closed as idle. */
  cuts(): number;
  close(): void;
}

export const openIdleProxy = async (serviceUrl: string, idleMs: number): Promise<IdleProxy> => {
  const target = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createTcpServer((near) => {
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
