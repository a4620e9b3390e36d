/** The two transports of a mocked stream: a WebSocket class without a network, and the server-sent events feed. */
import { type HttpHandler, HttpResponse, http } from "msw";
import {
  type ClientFrame,
  SSE_PATH,
  SSE_SYMBOLS,
  type SseSymbol,
  STREAM_CLOSES,
  STREAM_LIMITS,
  sseId,
} from "../generated/stream.ts";
import type { StreamName } from "../stream/events.ts";
import { isSymbol, mayCarry } from "../stream/options.ts";
import { keyOf, Refusal, refusalResponse } from "./mock-request.ts";

/** The operations of a mocked stream on a client. */
export interface MockPeer {
  readonly transport: "websocket" | "sse";
  /** The key it sent. */
  readonly key: string | null;
  /** The names it follows. */
  readonly names: ReadonlySet<StreamName>;
  send(frame: object): void;
  /** Closes it, with an `error` frame when there is a code. */
  end(close: number, code: string | null): void;
}

/** The stream as its transports see it. */
export interface MockHub {
  /** Why new clients are refused; null when they are accepted. */
  readonly refusal: RefusedStream | null;
  /** Called when a client connects. */
  enter(peer: MockPeer): void;
  /** Called when a client follows a name; returns the first frames to send, in order. */
  framesFor(name: StreamName, last: number | null): readonly object[];
  /** Called when the followed names change. */
  changed(): void;
  /** Called when a client disconnects. */
  leave(peer: MockPeer): void;
}

/** Why a stream may be refused. */
export type RefusedStream = "unauthenticated" | "plan_gated" | "too_many_connections" | "auth_unavailable";

/** An instant in whole seconds. */
export const wholeSeconds = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

type Handler = ((event: never) => void) | null;

class MockSocket implements MockPeer {
  readonly #hub: MockHub;
  readonly transport = "websocket";
  readonly names = new Set<StreamName>();
  key: string | null = null;
  readyState = CONNECTING;
  onmessage: Handler = null;
  onerror: Handler = null;
  onclose: Handler = null;
  #onopen: Handler = null;

  constructor(hub: MockHub) {
    this.#hub = hub;
  }

  get onopen(): Handler {
    return this.#onopen;
  }

  /** Opens once a listener is attached, in a later turn as a real one does. */
  set onopen(listener: Handler) {
    this.#onopen = listener;
    queueMicrotask(() => {
      if (this.readyState !== CONNECTING) return;
      this.readyState = OPEN;
      this.#emit(this.#onopen, {});
    });
  }

  send(frame: string | object): void {
    if (typeof frame === "string") queueMicrotask(() => this.#take(JSON.parse(frame)));
    else queueMicrotask(() => this.readyState === OPEN && this.#emit(this.onmessage, { data: JSON.stringify(frame) }));
  }

  end(close: number, code: string | null): void {
    if (code !== null) this.send({ type: "error", code, message: `The mock ends the stream: ${code}.`, fatal: true });
    queueMicrotask(() => this.close(close));
  }

  close(code = 1000): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#hub.leave(this);
    queueMicrotask(() => this.#emit(this.onclose, { code, reason: "" }));
  }

  #emit(listener: Handler, event: object): void {
    listener?.(event as never); // each listener's event type, by its name
  }

  #take(frame: ClientFrame): void {
    if (this.readyState !== OPEN) return;
    if (frame.action === "auth") this.#welcome(frame.api_key ?? null);
    else if (frame.action === "ping") this.send({ type: "pong", id: frame.id, ts: new Date().toISOString() });
    else this.#follow(frame);
  }

  #welcome(key: string | null): void {
    this.key = key;
    const { refusal } = this.#hub;
    if (refusal !== null) {
      this.end(STREAM_CLOSES[refusal], refusal);
      return;
    }
    this.#hub.enter(this);
    this.send({
      type: "welcome",
      connection_id: "mock",
      tier: "realtime_pro",
      heartbeat_interval_seconds: STREAM_LIMITS.heartbeatMs / 1_000,
      max_symbols: 8,
      max_connections: 10,
      server_time: new Date().toISOString(),
    });
  }

  #follow(frame: Exclude<ClientFrame, { action: "auth" | "ping" }>): void {
    const asked = [...(frame.symbols ?? []), ...(frame.channels ?? [])];
    const known = asked.filter((name) => mayCarry("websocket", name));
    const joins = frame.action === "subscribe";
    for (const name of known) joins ? this.names.add(name) : this.names.delete(name);
    this.send({
      type: joins ? "subscribed" : "unsubscribed",
      id: frame.id,
      symbols: [...this.names].filter(isSymbol),
      channels: [...this.names].filter((name) => !isSymbol(name)),
      rejected: asked.filter((name) => !mayCarry("websocket", name)).map((name) => ({ name, code: "invalid_symbol" })),
    });
    const resume: Readonly<Record<string, number>> = ("resume" in frame && frame.resume) || {};
    if (joins) for (const name of known) for (const due of this.#hub.framesFor(name, resume[name] ?? null)) this.send(due);
    this.#hub.changed();
  }
}

/**
 * Creates a WebSocket class connected to a mocked stream.
 * @param hub the stream
 */
export const mockSocketClass = (hub: MockHub): (new (url: string, options?: never) => object) =>
  class MockWebSocket extends MockSocket {
    constructor() {
      super(hub);
    }
  };

/** Refusals as the feed's route sends them. */
const refusalOf = (cause: RefusedStream): Refusal => {
  if (cause === "unauthenticated") return new Refusal("invalid_api_key");
  if (cause === "plan_gated") return new Refusal("plan_gated", { tier: "free", required_tier: "pro" });
  if (cause === "auth_unavailable") return new Refusal("auth_unavailable");
  const reset_at = wholeSeconds(Date.now() + 6_000);
  return new Refusal("rate_limit_exceeded", { limit: 3, window: "streams", retry_after_seconds: 5, reset_at });
};

const eventOf = (frame: object): string => {
  const { type, symbol, seq } = frame as { readonly type?: string; readonly symbol?: string; readonly seq?: number };
  const head = type === "tick" ? `id: ${sseId(symbol ?? "", seq ?? 0)}` : `event: ${type}`;
  return `${head}\ndata: ${JSON.stringify(frame)}\n\n`;
};

const lastOf = (request: Request): number | null => {
  const seq = Number(request.headers.get("last-event-id")?.split(":").at(-1) ?? Number.NaN);
  return Number.isInteger(seq) ? seq : null;
};

const feedOf = (request: Request, symbol: SseSymbol, hub: MockHub): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let peer: MockPeer;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      peer = {
        transport: "sse",
        key: keyOf(request),
        names: new Set([symbol]),
        send: (frame) => write(eventOf(frame)),
        end: (_, code) => {
          if (code !== null) write(eventOf({ type: "error", code, message: `The mock ends the stream: ${code}.`, fatal: true }));
          hub.leave(peer);
          controller.close();
        },
      };
      write("retry: 3000\n\n");
      for (const frame of hub.framesFor(symbol, lastOf(request))) peer.send(frame);
      hub.enter(peer);
      hub.changed();
    },
    cancel: () => hub.leave(peer),
  });
};

/**
 * A handler for the feed.
 * @param base the mocked base URL, without a trailing slash
 * @param hub the stream
 */
export const mockFeed = (base: string, hub: MockHub): HttpHandler =>
  http.get(`${base}${SSE_PATH}`, ({ request }) => {
    const requestId = request.headers.get("x-request-id") ?? "mock-request";
    const { refusal } = hub;
    if (refusal !== null) return refusalResponse(refusalOf(refusal), requestId);
    const symbol = new URL(request.url).searchParams.get("symbol") ?? "";
    if (!mayCarry("sse", symbol)) {
      const hint = `The feed carries ${SSE_SYMBOLS.join(" and ")}.`;
      return refusalResponse(new Refusal("invalid_symbol", { symbol, hint }), requestId);
    }
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "x-request-id": requestId,
      "cache-control": "no-store",
    };
    return new HttpResponse(feedOf(request, symbol, hub), { headers });
  });
