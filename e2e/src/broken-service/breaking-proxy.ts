/** A reverse proxy that breaks one thing about the service behind it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the service; modified in place. */
export interface ProxiedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
}

/** An answer from the service; modified in place. */
export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a proxy changes. */
export interface Breakage {
  /** Changes a request before the service gets it. */
  readonly ask?: (request: ProxiedRequest) => void;
  /** Changes an answer before the caller gets it; the request is as the caller sent it. */
  readonly answer?: (answered: Answered, request: ProxiedRequest) => void;
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Headers a proxy removes: those of a single connection, and compression, which would hide the text it changes. */
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date", "accept-encoding"]);

const plain = (headers: IncomingMessage["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || HOP.has(name) ? [] : [[name, String(value)]])),
  );

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

/** The start of a stream, up to its first event; it may never end. */
const readBeginning = async (message: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of message) {
    text += Buffer.from(chunk).toString("utf8");
    if (/^data:.*\n\n/ms.test(text)) break;
  }
  return text;
};

const pass = async (target: URL, { method, path, headers }: ProxiedRequest, body: Buffer): Promise<Answered> => {
  const onward = request({ hostname: target.hostname, port: target.port, method, path, headers });
  onward.end(body);
  const [response] = (await once(onward, "response")) as [IncomingMessage]; // the event's argument
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const text = isStream ? await readBeginning(response) : (await read(response)).toString("utf8");
  return { status: response.statusCode ?? 0, headers: plain(response.headers), body: text };
};

const serve = (target: URL, { ask, answer }: Breakage, address: string): Server =>
  createServer(async (incoming, outgoing) => {
    try {
      const body = await read(incoming);
      const sent: ProxiedRequest = {
        method: incoming.method ?? "GET",
        path: incoming.url ?? "/",
        headers: plain(incoming.headers),
      };
      const passed = structuredClone(sent);
      passed.headers["x-forwarded-for"] = address;
      ask?.(passed);
      const answered = await pass(target, passed, body);
      answer?.(answered, sent);
      outgoing.writeHead(answered.status, answered.headers);
      outgoing.end(sent.method === "HEAD" || answered.status === 204 || answered.status === 304 ? undefined : answered.body);
    } catch {
      outgoing.destroy();
    }
  });

let started = 0;

/** Starts a proxy in front of a service; if the service trusts it, each proxy is a client with its own address. */
export const startProxy = async (targetUrl: string, breakage: Breakage): Promise<Proxy> => {
  started += 1;
  const server = serve(new URL(targetUrl), breakage, `198.51.100.${started % 256}`);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
