/** References: servers that answer every request with the same headers and text. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The answer. */
export interface BareSettings {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Above this many characters the answer is kept as bytes. */
const LONG = 4_096;

/** Plain node:http. */
export const bareHttp = async ({ headers, body: text }: BareSettings) => {
  // A short text goes out with the headers; a long one is cheaper as bytes.
  const body = text.length < LONG ? text : Buffer.from(text);
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { ready: { port: (server.address() as AddressInfo).port } }; // it listens on a port, not a pipe
};

/** The answer, and which of them gives it. */
export interface PeerSettings extends BareSettings {
  readonly peer: "fastify" | "srvx";
  /** Where it is installed. */
  readonly folder: string;
}

/** What is used of fastify. */
interface Fastify {
  get(path: string, handler: (request: unknown, reply: FastifyReply) => void): void;
  listen(where: { port: number; host: string }): Promise<string>;
}
interface FastifyReply {
  headers(headers: Record<string, string>): FastifyReply;
  send(text: string): void;
}

/** What is used of srvx. */
interface Srvx {
  serve(options: { port: number; hostname: string; silent: boolean; fetch(): Response }): {
    ready(): Promise<{ readonly url?: string }>;
  };
}

const load = (folder: string, name: string): Promise<unknown> => {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  return import(pathToFileURL(path).href);
};

const listen = async ({ peer, folder, headers, body }: PeerSettings): Promise<string> => {
  if (peer === "fastify") {
    const { default: fastify } = (await load(folder, peer)) as { default: () => Fastify }; // as its documentation says
    const app = fastify();
    app.get("*", (_, reply) => reply.headers(headers).send(body));
    return app.listen({ port: 0, host: "127.0.0.1" });
  }
  const { serve } = (await load(folder, "srvx/node")) as Srvx; // as above
  const server = serve({ port: 0, hostname: "127.0.0.1", silent: true, fetch: () => new Response(body, { headers }) });
  return (await server.ready()).url ?? "";
};

/** fastify or srvx. */
export const peerHttp = async (settings: PeerSettings) => ({ ready: { port: Number(new URL(await listen(settings)).port) } });
