/** A stream service controlled by a test: real sockets, with every frame sent by hand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ClientOptions } from "../core/options.ts";
import { Assay } from "../generated/assay.ts";
import { StreamResource } from "../stream/assay.ts";
import { realStreamClock, type StreamClock } from "../stream/connection.ts";
import type { SubscribeOptions } from "../stream/options.ts";
import { readerOf } from "./reader.ts";

/** One WebSocket of a client. */
export interface Peer {
  readonly socket: WebSocket;
  readonly headers: IncomingMessage["headers"];
  readonly url: string;
  /** Frames the client sent so far. */
  readonly frames: Record<string, unknown>[];
  /** The close code, once closed. */
  readonly closed: Promise<number>;
  send(...frames: object[]): void;
  /** Sends the welcome, and acknowledges the requested names. */
  welcome(more?: object): void;
  /** Sends an error frame, and closes. */
  refuse(code: string, close: number): void;
}

/** One request for the SSE feed. */
export interface Feed {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly response: ServerResponse;
  readonly closed: Promise<void>;
  open(): void;
  tick(frame: { readonly seq: number; readonly symbol: string }): void;
  event(name: string, frame: object): void;
}

export interface StreamService {
  readonly url: string;
  /** Connections so far, in order. */
  readonly peers: readonly Peer[];
  readonly feeds: readonly Feed[];
  readonly sockets: ReadonlySet<Socket>;
  /** Handles all requests other than for streams. */
  rest: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Handlers {
  readonly onPeer?: (peer: Peer, index: number) => void;
  readonly onFeed?: (feed: Feed, index: number) => void;
}

const namesOf = (frames: readonly Record<string, unknown>[], key: string): string[] => {
  const names = new Set<string>();
  for (const frame of frames) {
    for (const name of (frame[key] as string[] | undefined) ?? [])
      if (frame.action === "subscribe") names.add(name);
      else names.delete(name);
  }
  return [...names];
};

const peerOf = (socket: WebSocket, { headers, url = "" }: IncomingMessage, onFrame: (peer: Peer) => void): Peer => {
  const frames: Record<string, unknown>[] = [];
  const send = (...all: object[]): void => {
    for (const frame of all) socket.send(JSON.stringify(frame));
  };
  const acknowledge = (type: "subscribed" | "unsubscribed"): void =>
    send({ type, symbols: namesOf(frames, "symbols"), channels: namesOf(frames, "channels"), rejected: [] });
  let isWelcome = false;
  const peer: Peer = {
    socket,
    headers,
    url,
    frames,
    closed: new Promise((resolve) => socket.on("close", resolve)),
    send,
    welcome: (more = {}) => {
      const server_time = new Date(Date.UTC(2026, 10, 20, 12)).toISOString();
      const limits = { heartbeat_interval_seconds: 15, max_symbols: 8, max_connections: 10 };
      send({ type: "welcome", connection_id: "c", tier: "realtime_pro", ...limits, server_time, ...more });
      acknowledge("subscribed");
      isWelcome = true;
    },
    refuse: (code, close) => {
      send({ type: "error", code, message: `It is ${code}.`, fatal: true });
      socket.close(close);
    },
  };
  socket.on("error", () => undefined);
  socket.on("message", (data) => {
    const frame: Record<string, unknown> = JSON.parse(String(data));
    frames.push(frame);
    if (isWelcome) acknowledge(frame.action === "subscribe" ? "subscribed" : "unsubscribed");
    onFrame(peer);
  });
  return peer;
};

const feedOf = ({ url = "", headers }: IncomingMessage, response: ServerResponse): Feed => ({
  url,
  headers,
  response,
  closed: new Promise((resolve) => response.on("close", resolve)),
  open: () => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write("retry: 3000\n\n");
  },
  tick: (frame) => response.write(`id: ${frame.symbol}:${frame.seq}\ndata: ${JSON.stringify(frame)}\n\n`),
  event: (name, frame) => response.write(`event: ${name}\ndata: ${JSON.stringify(frame)}\n\n`),
});

/** Starts a service that ends with the test. A peer is reported once it has sent its key and its names. */
export const streamService = async ({ onPeer, onFeed }: Handlers): Promise<StreamService> => {
  const peers: Peer[] = [];
  const feeds: Feed[] = [];
  const sockets = new Set<Socket>();
  const service: StreamService = {
    url: "",
    peers,
    feeds,
    sockets,
    rest: (_, response) => response.writeHead(404).end(),
  };
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/v1/prices/stream")) {
      service.rest(request, response);
      return;
    }
    const feed = feedOf(request, response);
    feeds.push(feed);
    onFeed?.(feed, feeds.length - 1);
  });
  const webSockets = new WebSocketServer({ server, path: "/v1/stream" });
  webSockets.on("connection", (socket, request) => {
    const index = peers.length;
    peers.push(
      peerOf(socket, request, (peer) => {
        if (peer.frames.length === 2) onPeer?.(peer, index);
      }),
    );
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    webSockets.close();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(service, { url: `http://127.0.0.1:${port}` });
};

export const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";
export const GOLD = "XAU-USD-SPOT";
export const SILVER = "XAG-USD-SPOT";
/** Backoff with its real growth, a hundred times shorter. */
export const HASTY: StreamClock = { ...realStreamClock, random: () => 0.01 };

/** Subscribes to a service that ends with the test, as a client of it does. */
export const openStream = async (
  handlers: Handlers,
  options: SubscribeOptions,
  client: ClientOptions = {},
  clock: StreamClock = HASTY,
) => {
  const service = await streamService(handlers);
  const settings = { baseUrl: service.url, apiKey: KEY, logLevel: "off", ...client } as const;
  const subscription = new StreamResource(settings, new Assay(settings).bars, clock).subscribe(options);
  return { service, subscription, reader: readerOf(subscription) };
};
