/** Local stand-ins for public upstreams: a port for each, answers controlled by the test, every request recorded. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream's answer; null for a connection that is held open without an answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the answer to a request. */
export type Answering = (path: string) => Reply | null | Promise<Reply | null>;

/** One upstream. */
export interface Upstream {
  readonly url: string;
  /** The time of each request, on the monotonic clock, and its path. */
  readonly requests: readonly { readonly atMs: number; readonly path: string }[];
  /** Changes the answer from now on. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

const send = (response: ServerResponse, { status = 200, headers = {}, body }: Reply): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
};

/** Opens an upstream on its own port: feeds keep one connection per host, and one must not delay another. */
export const openUpstream = async (answering: Answering): Promise<Upstream> => {
  let current = answering;
  const requests: { atMs: number; path: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    requests.push({ atMs: performance.now(), path });
    const reply = await current(path);
    if (reply) send(response, reply);
  };
  const server: Server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      current = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
