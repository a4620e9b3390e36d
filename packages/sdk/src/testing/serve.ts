/** A real HTTP server for one test, which records its requests; one that pages bars as the service does. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { WireBar } from "./operations.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text unchanged; anything else as JSON. */
  readonly body?: unknown;
}

/** Answers the nth request, counted from 0; returns nothing when the handler answers itself. */
export type Answering = (
  asked: ReceivedRequest,
  index: number,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

/** The server's address and the requests so far. */
export interface Served {
  readonly url: string;
  readonly asked: ReceivedRequest[];
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

export const serve = async (answer: Answering): Promise<Served> => {
  const asked: ReceivedRequest[] = [];
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

const DAY_MS = 86_400_000;

const first = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const last = (text: string): number => (text.length === 10 ? first(text) + DAY_MS - 1 : first(text));

/**
 * Serves bars.
 * @param starts when each bar starts, epoch milliseconds, oldest first; the newest is still forming
 */
export const serveBars = (starts: () => readonly number[]): Promise<Served> =>
  serve(({ url }) => {
    const query = new URL(url, "http://service").searchParams;
    const fromMs = first(query.get("from") ?? "");
    const toMs = last(query.get("to") ?? "");
    const limit = Number(query.get("limit") ?? "100");
    if (Number.isNaN(fromMs + toMs) || !Number.isInteger(limit) || limit < 1 || fromMs > toMs) {
      return { status: 422, body: { error: "validation_error", message: "A parameter is not valid." } };
    }
    const isUp = query.get("order") === "asc";
    const place = Number(query.get("cursor") ?? (isUp ? -Infinity : Infinity));
    const all = starts();
    const held = all.filter((ms) => ms >= fromMs && ms <= toMs && (isUp ? ms > place : ms < place));
    if (!isUp) held.reverse();
    const bars = held.slice(0, limit).map((ms): WireBar => {
      return { bar_start: new Date(ms).toISOString(), close: "4003.20", is_closed: ms !== all.at(-1) };
    });
    const next = held.length > limit ? String(held[limit - 1]) : null;
    return { body: { bars, next_cursor: next, meta: { count: bars.length } } };
  });
