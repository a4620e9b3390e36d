/** HTTP as no ordinary client sends it: over a raw socket, and over TLS with a test's own certificate. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Agent, request as tlsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A connection, with everything received so far. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  received(): string;
  isClosed(): boolean;
  /** Resolves when it is closed, with everything received. */
  closed(withinMs: number): Promise<string>;
  /** Resolves when the received text matches. */
  until(pattern: RegExp, withinMs?: number): Promise<string>;
  destroy(): void;
}

export const openRaw = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  let isClosed = false;
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  // A reset also counts as a close; what was received before it is kept.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  await once(socket, "connect");
  const waitFor = async (what: string, holds: () => boolean, withinMs: number): Promise<string> => {
    const endMs = performance.now() + withinMs;
    while (!holds()) {
      if (performance.now() > endMs)
        throw new Error(`not within ${withinMs} ms: ${what}; received ${JSON.stringify(received.slice(0, 400))}`);
      await sleep(10);
    }
    return received;
  };
  return {
    socket,
    send: (text) => {
      socket.write(text, "latin1");
    },
    received: () => received,
    isClosed: () => isClosed,
    closed: (withinMs) => waitFor("the end of the connection", () => isClosed, withinMs),
    until: (pattern, withinMs = 60_000) => waitFor(String(pattern), () => pattern.test(received), withinMs),
    destroy: () => socket.destroy(),
  };
};

/** The statuses of all answers in a text, in order. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) => Number(status));

/** How a request differs from a plain GET. */
export interface TlsAsking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface TlsAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

const WITHIN_MS = 30_000;

/** Opens a request; resolves when the headers of the answer are there. */
export const openAnswer = (
  url: string,
  ca: string,
  { method = "GET", headers = {}, body }: TlsAsking = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { method, headers, agent: new Agent({ ca }), timeout: WITHIN_MS };
    const sent = url.startsWith("https:")
      ? tlsRequest(url, options, resolve)
      : request(url, { method, headers, timeout: WITHIN_MS }, resolve);
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    sent.on("error", reject);
    sent.end(body);
  });

export const askTls = async (url: string, ca: string, asking: TlsAsking = {}): Promise<TlsAnswer> => {
  const response = await openAnswer(url, ca, asking);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
};
