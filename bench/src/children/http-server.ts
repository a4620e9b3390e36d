/** References: servers that answer every request with the same headers and text, and check nothing. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "./child.ts";

/** The answer, and what gives it. */
export interface HttpServerSettings {
  readonly by: keyof typeof SERVERS;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where other people's servers are installed. */
  readonly folder?: string;
}

type Answer = Pick<HttpServerSettings, "headers" | "body">;

/** What is used of fastify. */
interface Fastify {
  readonly server: Server;
  get(path: string, handler: (request: unknown, reply: FastifyReply) => void): void;
  ready(): Promise<void>;
}
interface FastifyReply {
  headers(headers: Readonly<Record<string, string>>): FastifyReply;
  send(text: string): void;
}

/** What is used of srvx. */
interface Srvx {
  readonly FastResponse: typeof Response;
  serve(options: { fetch(): Response; manual: boolean }): { readonly node: { readonly server: Server } };
}

const load = (folder: string, name: string): Promise<unknown> =>
  import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);

const ofSrvx = async ({ headers, body }: Answer, folder: string, isFast: boolean): Promise<Server> => {
  const { FastResponse, serve: start } = (await load(folder, "srvx/node")) as Srvx; // as its documentation says
  const Form = isFast ? FastResponse : Response;
  return start({ fetch: () => new Form(body, { headers }), manual: true }).node.server;
};

/** A text of so many characters goes out with its head; a longer one is cheaper as bytes. */
const MOST_WITH_HEAD = 4_096;

const SERVERS = {
  node: async ({ headers, body: text }: Answer) => {
    const body = text.length < MOST_WITH_HEAD ? text : Buffer.from(text);
    return createServer((_, response) => response.writeHead(200, headers).end(body));
  },
  hono: async ({ headers, body }: Answer) => {
    // Imported where it is used: it replaces the global Response.
    const [{ Hono }, { createAdaptorServer }] = await Promise.all([import("hono"), import("@hono/node-server")]);
    const app = new Hono().get("/v1/*", () => new Response(body, { status: 200, headers }));
    return createAdaptorServer({ fetch: app.fetch }) as Server; // without options it is one of node:http
  },
  fastify: async ({ headers, body }: Answer, folder: string) => {
    const { default: fastify } = (await load(folder, "fastify")) as { default: () => Fastify }; // as its documentation says
    const app = fastify();
    app.get("*", (_, reply) => reply.headers(headers).send(body));
    await app.ready();
    return app.server;
  },
  srvx: (answer: Answer, folder: string) => ofSrvx(answer, folder, false),
  "srvx's FastResponse": (answer: Answer, folder: string) => ofSrvx(answer, folder, true),
} satisfies Record<string, (answer: Answer, folder: string) => Promise<Server>>;

serve(async ({ by, folder = "", ...answer }: HttpServerSettings) => {
  const server = await SERVERS[by](answer, folder);
  server.keepAliveTimeout = 65_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { ready: { port: (server.address() as AddressInfo).port } }; // it listens on a port, not a pipe
});
