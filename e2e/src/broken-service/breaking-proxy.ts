/** A reverse proxy that breaks one thing about the service behind it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** A request to the service; modified in place. */
export interface ProxiedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** An answer from the service; modified in place. */
export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Breakage {
  /** Changes a request before the service gets it. */
  readonly ask?: (request: ProxiedRequest) => void;
  /** Changes an answer before the caller gets it, of a stream each of its parts; the request is as the caller sent it. */
  readonly answer?: (answered: Answered, request: ProxiedRequest) => void;
  /** Changes a frame of a WebSocket before the caller gets it; null drops it. */
  readonly frame?: (text: string) => string | null;
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

const pass = async (target: URL, { method, path, headers }: ProxiedRequest, body: Buffer): Promise<IncomingMessage> => {
  const onward = request({ hostname: target.hostname, port: target.port, method, path, headers });
  onward.end(body);
  const [response] = (await once(onward, "response")) as [IncomingMessage]; // the event's argument
  return response;
};

/** A stream is passed on as it comes, for as long as the caller reads it. */
const relay = async (response: IncomingMessage, outgoing: ServerResponse, change: (body: string) => Answered): Promise<void> => {
  const { status, headers } = change("");
  outgoing.writeHead(status, headers);
  outgoing.on("close", () => response.destroy());
  for await (const chunk of response) outgoing.write(change(Buffer.from(chunk).toString("utf8")).body);
  outgoing.end();
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
      const response = await pass(target, passed, body);
      const change = (text: string): Answered => {
        const answered = { status: response.statusCode ?? 0, headers: plain(response.headers), body: text };
        answer?.(answered, sent);
        return answered;
      };
      if (response.headers["content-type"]?.startsWith("text/event-stream")) return await relay(response, outgoing, change);
      const answered = change((await read(response)).toString("utf8"));
      outgoing.writeHead(answered.status, answered.headers);
      outgoing.end(sent.method === "HEAD" || answered.status === 204 || answered.status === 304 ? undefined : answered.body);
    } catch {
      outgoing.destroy();
    }
  });

/** Passes the frames of WebSockets on, those of the service changed. */
const serveSockets = (server: Server, target: URL, { frame = (text) => text }: Breakage, address: string): void => {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (incoming, stream, head) => {
    sockets.handleUpgrade(incoming, stream, head, (caller) => {
      const headers = { "x-forwarded-for": address };
      const onward = new WebSocket(`ws://${target.host}${incoming.url}`, { headers });
      const waiting: string[] = [];
      caller.on("message", (data) =>
        onward.readyState === WebSocket.OPEN ? onward.send(String(data)) : waiting.push(String(data)),
      );
      onward.on("open", () => waiting.splice(0).forEach((text) => void onward.send(text)));
      onward.on("message", (data) => {
        const changed = frame(String(data));
        if (changed !== null) caller.send(changed);
      });
      onward.on("error", () => caller.terminate());
      onward.on("close", () => caller.terminate());
      caller.on("error", () => onward.terminate());
      caller.on("close", () => onward.terminate());
    });
  });
};

let started = 0;

/** Starts a proxy in front of a service; if the service trusts it, each proxy is a client with its own address. */
export const startProxy = async (targetUrl: string, breakage: Breakage): Promise<Proxy> => {
  started += 1;
  const [target, address] = [new URL(targetUrl), `198.51.100.${started % 256}`];
  const server = serve(target, breakage, address);
  serveSockets(server, target, breakage, address);
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
