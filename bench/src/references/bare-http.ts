/** Reference: plain node:http, answering every request with the same headers and text. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer. */
export interface BareSettings {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Above this many characters the answer is kept as bytes. */
const LONG = 4_096;

/** Starts it. */
export const start = async ({ headers, body: text }: BareSettings) => {
  // A short text goes out with the headers; a long one is cheaper as bytes.
  const body = text.length < LONG ? text : Buffer.from(text);
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { ready: { port: (server.address() as AddressInfo).port } }; // it listens on a port, not a pipe
};
