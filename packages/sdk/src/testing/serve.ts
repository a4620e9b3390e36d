/** A real HTTP server for one test, which records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as received. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text unchanged; anything else as JSON. */
  readonly body?: unknown;
}

/** Answers the nth request, counted from 0; returns nothing when the handler answers itself. */
export type Answering = (asked: Asked, index: number, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>;

/** The server's address and the requests so far. */
export interface Served {
  readonly url: string;
  readonly asked: Asked[];
  /** Connections opened so far. */
  readonly connections: () => number;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += String(piece);
  return body;
};

const write = (response: ServerResponse, { status = 200, headers = {}, body }: Reply): void => {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(body === undefined ? "" : isText ? body : JSON.stringify(body));
};

/** Starts a server that ends with the test. */
export const serve = async (answer: Answering): Promise<Served> => {
  const asked: Asked[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const entry = { method, url, headers, body: await bodyOf(request) };
    asked.push(entry);
    const reply = await answer(entry, asked.length - 1, response);
    if (reply !== undefined) write(response, reply);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked, connections: () => connections };
};
