/** A reverse proxy that serves a service below a path, as nginx does with `location /metals/`. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A running proxy. */
export interface PrefixProxy {
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
