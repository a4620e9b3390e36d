/** A small upstream server on a real socket, with answers set by a test. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers a request; an exception becomes a 500. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface UpstreamServer {
  readonly url: string;
  /** Requests so far, oldest first. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  /** The maximum number of concurrent requests. */
  readonly mostAtOnce: () => number;
  answer(answer: Answer): void;
  close(): Promise<void>;
}

export const says =
  (status: number, body: string | Uint8Array = "", headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Starts it on a free loopback port. */
export const startUpstream = async (first: Answer): Promise<UpstreamServer> => {
  let answer = first;
  let open = 0;
  let mostAtOnce = 0;
  const requests: { path: string; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? "", headers: request.headers });
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on("close", () => {
      open -= 1;
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    mostAtOnce: () => mostAtOnce,
    answer: (next) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
