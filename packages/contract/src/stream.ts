/** The streams: what can be followed, connection limits, close codes, and the SSE route. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { type Access, route } from "./route.ts";
import { tickFrame } from "./stream-frames.ts";
import type { TierName } from "./tiers.ts";
import { inWords } from "./wording.ts";

const followed = (stream: "sse" | "websocket"): readonly StreamSymbol[] =>
  catalogue.spotMetals.filter(({ streams }) => streams.includes(stream)).map(({ code }) => spotSymbol(code));

/** Symbols a WebSocket may follow, in USD. */
export const STREAM_SYMBOLS: readonly StreamSymbol[] = followed("websocket");
/** A symbol a WebSocket may follow. */
export type StreamSymbol = string;

/** Symbols the SSE feed carries. */
export const SSE_SYMBOLS: readonly SseSymbol[] = followed("sse");
export type SseSymbol = StreamSymbol;

/** Countries with dealer quotes, ISO 3166-1 alpha-2. */
export const PHYSICAL_COUNTRIES = ["AE", "CN", "EG", "HK", "ID", "IN", "JP", "MY", "NP", "PK", "SA", "VN"] as const;
export type PhysicalCountry = (typeof PHYSICAL_COUNTRIES)[number];

/** A channel of dealer quotes, such as `physical:AE`. */
export type PhysicalChannel = `physical:${PhysicalCountry}`;

/**
 * The channel of a country's dealer quotes.
 * @param country ISO 3166-1 alpha-2, in capitals
 */
export const physicalChannel = (country: PhysicalCountry): PhysicalChannel => `physical:${country}`;

/** Every channel of dealer quotes, by country. */
export const PHYSICAL_CHANNELS: readonly PhysicalChannel[] = PHYSICAL_COUNTRIES.map(physicalChannel);

/** Anything a connection can follow; each has its own sequence numbers. */
export type StreamName = StreamSymbol | PhysicalChannel;

/** Everything a connection can follow: symbols, then channels. */
export const STREAM_NAMES: readonly StreamName[] = [...STREAM_SYMBOLS, ...PHYSICAL_CHANNELS];

/** The path of the WebSocket endpoint. */
export const STREAM_PATH = "/v1/stream";

/** Who may open a WebSocket. */
export const STREAM_ACCESS = {
  auth: "required",
  tier: "realtime_pro",
  limit: "standard",
  metered: false,
} as const satisfies Access;
/** The lowest tier with WebSocket streams. */
export const STREAM_TIER: TierName = STREAM_ACCESS.tier;

/** Limits of every connection; times in milliseconds. */
export const STREAM_LIMITS = {
  /** Interval between heartbeats, regardless of other traffic. */
  heartbeatMs: 15_000,
  /** Interval between RFC 6455 pings; each pong must arrive within `pongWithinMs`. */
  pingMs: 20_000,
  pongWithinMs: 10_000,
  /** The key must arrive this soon after the handshake. */
  authWithinMs: 10_000,
  /** Maximum client frame size, in bytes. */
  maxFrameBytes: 4_096,
  /** Maximum client frames within `frameWindowMs`. */
  maxFrames: 20,
  frameWindowMs: 10_000,
  /** Maximum symbols per connection. */
  maxSymbols: 8,
  /** After a reconnect, ticks missed within this time are resent. */
  ringMs: 300_000,
  /** A consumer with more than this many bytes buffered, or behind for longer than this, is disconnected. */
  maxBufferBytes: 1_048_576,
  maxLagMs: 30_000,
  /** A revoked key's connections are closed within this time. */
  revokedWithinMs: 5_000,
  /** How long an SSE client waits before reconnecting. */
  sseRetryMs: 3_000,
  /**
   * An SSE feed ends cleanly after this long, give or take `sseLifetimeJitter` of it, and the client resumes after `sseResumeMs`,
   * so that a peer that vanished silently frees its slot.
   */
  sseLifetimeMs: 1_800_000,
  sseLifetimeJitter: 0.1,
  sseResumeMs: 1_000,
} as const;

export interface StreamClose {
  /** The WebSocket close code. */
  readonly close: number;
  /** The message of the `error` frame sent before the close. */
  readonly message: string;
  /** When it happens, for the documents. */
  readonly condition: string;
  /** The error REST and the SSE route return for the same cause. */
  readonly restCode?: ErrorCode;
}

/** Every way the service closes a connection, by the code of the `error` frame sent first. */
export const STREAM_CLOSES = {
  bad_frame: {
    close: 4400,
    message: "The frame is not valid.",
    condition: "A client frame is not a JSON object with a known action, not text, or longer than 4 KiB.",
  },
  too_many_frames: {
    close: 4400,
    message: "More than 20 frames within 10 seconds.",
    condition: "More than 20 client frames, including protocol pings, within 10 seconds.",
  },
  unauthenticated: {
    close: 4401,
    message: "The API key is missing or not valid, or the first frame is not auth.",
    condition:
      "The first frame was not auth, its key was not valid or missing where one is needed, or the key was revoked or expired while the connection was open.",
    restCode: "invalid_api_key",
  },
  plan_gated: {
    close: 4403,
    message: "Your tier does not include WebSocket streams.",
    condition: `The key's tier is below ${STREAM_TIER}, or its organisation was given such a tier while the connection was open.`,
    restCode: "plan_gated",
  },
  auth_timeout: {
    close: 4408,
    message: "No key arrived within 10 seconds.",
    condition: "No auth frame arrived within 10 seconds of the handshake.",
  },
  too_many_connections: {
    close: 4429,
    message: "As many streams are open as the tier allows.",
    condition:
      "The key, or the address of a caller without one, has as many streams open (SSE and WebSocket together) as its tier allows. The new one is refused.",
  },
  auth_unavailable: {
    close: 4503,
    message: "Keys cannot be verified at the moment.",
    condition: "The database of keys does not respond.",
  },
  slow_consumer: {
    close: 4508,
    message: "The client reads too slowly.",
    condition:
      "More is waiting to be sent than the service holds for a connection (1 MiB by default), or the client has been behind for too long (30 seconds by default).",
  },
  server_draining: {
    close: 4510,
    message: "The server is shutting down; reconnect.",
    condition: "The process is shutting down; reconnecting reaches another.",
  },
} as const satisfies Record<string, StreamClose>;

/** The code of an `error` frame that precedes a close. */
export type StreamCloseCode = keyof typeof STREAM_CLOSES;

/** All close codes, in the order of the table. */
export const STREAM_CLOSE_CODES = Object.keys(STREAM_CLOSES) as [StreamCloseCode, ...StreamCloseCode[]]; // the keys of a literal

/**
 * Standard close codes that a client may retry: going away, abnormal closure, internal error, service restart, try again later.
 */
const RECONNECTABLE: ReadonlySet<number> = new Set([1001, 1006, 1011, 1012, 1013]);

/**
 * Whether a client should connect again, with backoff, after a close.
 * @param close the WebSocket close code
 * @returns true for 45xx and the retryable standard codes; false for 44xx and all others
 */
export const mayReconnect = (close: number): boolean => (close >= 4500 && close < 4600) || RECONNECTABLE.has(close);

/** Named events of the SSE feed; a tick is an unnamed event, so that `onmessage` receives it. */
export const SSE_EVENTS = ["heartbeat", "gap", "error"] as const;
export type SseEvent = (typeof SSE_EVENTS)[number];

/**
 * The id of an SSE tick, which a client sends back as `Last-Event-ID`.
 * @param symbol the tick's symbol
 * @param seq its sequence number
 * @returns for example `XAU-USD-SPOT:1841`
 */
export const sseId = (symbol: string, seq: number): string => `${symbol}:${seq}`;

/** GET /v1/prices/stream. Its output is the data of one tick event. */
export const pricesStream = route({
  method: "GET",
  path: "/v1/prices/stream",
  tag: "Spot prices",
  summary: "Live ticks as server-sent events",
  description:
    "One symbol's ticks as `text/event-stream`. Ticks are unnamed events with an id; `heartbeat` every 15 s, `gap` and `error` are named. " +
    "`Last-Event-ID` resumes within 5 minutes. The tier limits the number of streams per key, or per address without one, SSE and WebSocket together.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: `${inWords(SSE_SYMBOLS, "or")}, or an alias of one`, examples: ["XAU-USD-SPOT"] }),
    lastEventId: z
      .string()
      .max(64)
      .meta({
        description:
          "Assay's own parameter, for clients that send `Last-Event-ID` in the URL, as some EventSource polyfills do; the header wins",
        examples: ["XAU-USD-SPOT:1841"],
      })
      .optional(),
  }),
  hints: { symbols: "one stream carries one symbol; the WebSocket at /v1/stream carries several" },
  output: tickFrame,
  success: { status: 200, cacheControl: "no-store, no-transform" },
  errors: ["invalid_symbol", "plan_gated", "rate_limit_exceeded", "service_unavailable"],
  requestHeaders: { "Last-Event-ID": "The id of the last tick received, such as XAU-USD-SPOT:1841; later ones follow" },
  examples: {
    tick: {
      summary: "The data of a tick",
      value: {
        type: "tick",
        symbol: "XAU-USD-SPOT",
        price: "4003.25",
        conf: "0.20",
        computed_at: "2026-11-20T14:03:28Z",
        seq: 1842,
      },
    },
  },
});

/**
 * Routes that return a stream. They are kept apart from the contract: they refuse like any route, but their answer is not a JSON
 * document, so neither tRPC nor the SDK's operations include them.
 */
export const streams = { prices: pricesStream } as const;
