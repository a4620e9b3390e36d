/**
 * The streams: what can be followed, the frames in both directions, how connections end.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import { errorBrand } from "../core/brand.ts";
import type { FieldKinds, Shape } from "../core/operation.ts";
import type { PublishedDecimal } from "../core/published-decimal.ts";
import { type RestRefusal, StreamClosedError } from "../stream/errors.ts";
import type { DealerWeightUnit, Open, TierName } from "./values.ts";

/** Where WebSockets connect. */
export const STREAM_PATH = "/v1/stream";

/** Where the SSE feed is. */
export const SSE_PATH = "/v1/prices/stream";

/** The id of an SSE tick; a client that sends it resumes with the next tick. */
export const sseId = (symbol: string, seq: number): string => `${symbol}:${seq}`;

/** Symbols a WebSocket may follow, in USD, as every service has them; one whose operator added metals may carry more. */
export const STREAM_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"] as const;

/** A symbol a WebSocket may follow. */
export type StreamSymbol = Open<(typeof STREAM_SYMBOLS)[number]>;

/** Symbols the SSE feed carries, as every service has them; one whose operator added metals may carry more. */
export const SSE_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;

/** A symbol the SSE feed carries. */
export type SseSymbol = Open<(typeof SSE_SYMBOLS)[number]>;

/** Channels of dealers' quotes, one per country. */
export const PHYSICAL_CHANNELS = [
  "physical:AE",
  "physical:CN",
  "physical:EG",
  "physical:HK",
  "physical:ID",
  "physical:IN",
  "physical:JP",
  "physical:MY",
  "physical:NP",
  "physical:PK",
  "physical:SA",
  "physical:VN",
] as const;

/** A channel of dealers' quotes. */
export type PhysicalChannel = (typeof PHYSICAL_CHANNELS)[number];

/** Limits that a client observes; times in milliseconds. */
export const STREAM_LIMITS = { heartbeatMs: 15000, maxFrames: 20, frameWindowMs: 10000, sseResumeMs: 1000 } as const;

/** The close code that goes with the code of an `error` frame. */
export const STREAM_CLOSES = {
  bad_frame: 4400,
  too_many_frames: 4400,
  unauthenticated: 4401,
  plan_gated: 4403,
  auth_timeout: 4408,
  too_many_connections: 4429,
  auth_unavailable: 4503,
  slow_consumer: 4508,
  server_draining: 4510,
} as const;

/** Ranges of close codes after which a client reconnects; after all others it does not. */
export const RECONNECT_CLOSES: readonly (readonly [number, number])[] = [
  [1001, 1001],
  [1006, 1006],
  [1011, 1013],
  [4500, 4599],
];

/** `bad_frame`, close code 4400: A client frame is not a JSON object with a known action, not text, or longer than 4 KiB. */
export class StreamBadFrameError extends StreamClosedError {
  static {
    errorBrand(StreamBadFrameError, "StreamBadFrameError");
  }
}

/** `too_many_frames`, close code 4400: More than 20 client frames, including protocol pings, within 10 seconds. */
export class StreamTooManyFramesError extends StreamClosedError {
  static {
    errorBrand(StreamTooManyFramesError, "StreamTooManyFramesError");
  }
}

/** `auth_timeout`, close code 4408: No auth frame arrived within 10 seconds of the handshake. */
export class StreamAuthTimeoutError extends StreamClosedError {
  static {
    errorBrand(StreamAuthTimeoutError, "StreamAuthTimeoutError");
  }
}

/**
 * `too_many_connections`, close code 4429: The key, or the address of a caller without one, has as many streams open (SSE and
 * WebSocket together) as its tier allows. The new one is refused.
 */
export class StreamTooManyConnectionsError extends StreamClosedError {
  static {
    errorBrand(StreamTooManyConnectionsError, "StreamTooManyConnectionsError");
  }
}

/** The class of each code after which a client does not reconnect, except for codes that have a class of REST. */
export const streamErrors: Readonly<Record<string, typeof StreamClosedError>> = {
  bad_frame: StreamBadFrameError,
  too_many_frames: StreamTooManyFramesError,
  auth_timeout: StreamAuthTimeoutError,
  too_many_connections: StreamTooManyConnectionsError,
};

/** The REST error code with the same cause as a close code, where there is one. */
export const REST_REFUSALS: Readonly<Record<string, RestRefusal>> = {
  unauthenticated: {
    status: 401,
    body: { error: "invalid_api_key" },
  },
  plan_gated: {
    status: 403,
    body: { error: "plan_gated", required_tier: "realtime_pro" },
  },
};

/** The key was accepted. */
export interface WelcomeFrame {
  readonly type: "welcome";
  /** Identifies the connection in the service's log. */
  readonly connectionId: string;
  /** Your tier. */
  readonly tier: TierName;
  /** Interval of heartbeats, which are also sent in a quiet market. */
  readonly heartbeatIntervalSeconds: number;
  /** Maximum symbols per connection. */
  readonly maxSymbols: number;
  /** Maximum open streams per key, or per address without one. */
  readonly maxConnections: number;
  /** The service's clock, with milliseconds. */
  readonly serverTime: Date;
}

/** Response to subscribe, with all subscriptions. */
export interface SubscribedFrame {
  readonly type: "subscribed";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /** Every symbol the connection is now subscribed to. */
  readonly symbols: readonly string[];
  /** Every channel the connection is now subscribed to. */
  readonly channels: readonly string[];
  /** Rejected names of this request. */
  readonly rejected: readonly SubscribedFrameRejected[];
}

/** A name that is not followed. */
export interface SubscribedFrameRejected {
  /** The name as it was sent. */
  readonly name: string;
  /** Why it was rejected. In resume, invalid_symbol is a name that you are not subscribed to. */
  readonly code: "invalid_symbol" | "plan_gated" | "too_many_symbols";
}

/** Response to unsubscribe, with all subscriptions. */
export interface UnsubscribedFrame {
  readonly type: "unsubscribed";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /** Every symbol the connection is now subscribed to. */
  readonly symbols: readonly string[];
  /** Every channel the connection is now subscribed to. */
  readonly channels: readonly string[];
  /** Rejected names of this request. */
  readonly rejected: readonly UnsubscribedFrameRejected[];
}

/** A name that was not followed. */
export interface UnsubscribedFrameRejected {
  /** The name as it was sent. */
  readonly name: string;
  /** Why it was rejected. In resume, invalid_symbol is a name that you are not subscribed to. */
  readonly code: "invalid_symbol" | "plan_gated" | "too_many_symbols";
}

/** A published price. */
export interface TickFrame {
  readonly type: "tick";
  /** The symbol. */
  readonly symbol: string;
  /** The price in USD per unit of the metal. */
  readonly price: PublishedDecimal;
  /** Half-width of the confidence band, in the price's unit. */
  readonly conf: PublishedDecimal;
  /** When the price was computed. */
  readonly computedAt: Date;
  /** Increases by one per symbol, the same for every connection and process. */
  readonly seq: number;
  /** The last known price, sent because you subscribed. */
  readonly snapshot?: true;
  /**
   * The market is closed: price and computedAt are those of GET /v1/spot. Only on snapshots; seq is the last number given out,
   * which you may have already, or 0.
   */
  readonly staleReason?: "market_closed";
}

/** A dealer's quote changed. */
export interface PhysicalFrame {
  readonly type: "physical";
  /** The channel. */
  readonly channel: string;
  /** Increases by one per channel. */
  readonly seq: number;
  /** The current quote. */
  readonly quote: StreamQuote;
  /** The last quote that changed, sent because you subscribed. */
  readonly snapshot?: true;
}

/** A dealer's quote, as its channel sends it. */
export interface StreamQuote {
  /** Identifies a product of a source, here and at /v1/physical. */
  readonly id: string;
  /** Who reported it. */
  readonly source: string;
  /** The dealer. */
  readonly dealer: string;
  /** What is sold. */
  readonly product: string;
  /** Purity in parts of 24. */
  readonly karat: number;
  /** Weight of the product. */
  readonly weight: PublishedDecimal;
  /** Unit of the weight. */
  readonly weightUnit: Open<DealerWeightUnit>;
  /** ISO 4217 code of both prices. */
  readonly currency: string;
  /** What a customer pays for the product; null where the dealer does not say. */
  readonly sellPrice: PublishedDecimal | null;
  /** What a customer is paid; null where the dealer does not say. */
  readonly buybackPrice: PublishedDecimal | null;
  /** When the dealer said so. */
  readonly quotedAt: Date;
}

/** The connection is alive; the newest number of each sequence. */
export interface HeartbeatFrame {
  readonly type: "heartbeat";
  /** The service's clock, with milliseconds. */
  readonly ts: Date;
  /** The newest seq of every subscription; if yours differs, ticks were lost. */
  readonly seq: Readonly<Record<string, number>>;
  /** Whether the spot market is open. */
  readonly market: "open" | "closed";
}

/** Numbers that will not be sent, or a numbering that starts over; a tick follows. */
export interface GapFrame {
  readonly type: "gap";
  /** The symbol or channel. */
  readonly symbol: string;
  /** The first number that will not be sent; for a reset, the number of the next tick. */
  readonly fromSeq: number;
  /** The last number that will not be sent; for a reset, the last number you have. */
  readonly toSeq: number;
  /**
   * expired: older than is kept, or more than is sent at once. missed: the service itself missed it. slow_consumer: you read too
   * slowly. reset: the numbering started over, and the numbers from_seq to to_seq that you have belong to the old one.
   */
  readonly reason: "expired" | "missed" | "slow_consumer" | "reset";
}

/** The answer to ping. */
export interface PongFrame {
  readonly type: "pong";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /** The service's clock, with milliseconds. */
  readonly ts: Date;
}

/** An error; if it is fatal, a close follows. */
export interface ErrorFrame {
  readonly type: "error";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /**
   * Machine code: validation_error or already_authenticated if the connection stays open, otherwise the code of the close that
   * follows.
   */
  readonly code: string;
  /** Human-readable message. */
  readonly message: string;
  /** Whether the connection is closed now. */
  readonly fatal: boolean;
}

/** Any frame the service sends, decoded. */
export type ServerFrame =
  | WelcomeFrame
  | SubscribedFrame
  | UnsubscribedFrame
  | TickFrame
  | PhysicalFrame
  | HeartbeatFrame
  | GapFrame
  | PongFrame
  | ErrorFrame;

const errorFrame: Shape = { fields: "" };

const pongFrame: Shape = { fields: "ts:i~" };

const gapFrame: Shape = { fields: "" };

const heartbeatFrame: Shape = { fields: "ts:i~" };

const streamQuote: Shape = { fields: "weight:d~ sell_price:d~ buyback_price:d~ quoted_at:i~" };

const physicalFrame: Shape = { fields: "", parts: { quote: streamQuote } };

const tickFrame: Shape = { fields: "price:d~ conf:d~ computed_at:i~" };

const unsubscribedFrameRejected: Shape = { fields: "" };

const unsubscribedFrame: Shape = { fields: "", parts: { rejected: { list: unsubscribedFrameRejected } } };

const subscribedFrameRejected: Shape = { fields: "" };

const subscribedFrame: Shape = { fields: "", parts: { rejected: { list: subscribedFrameRejected } } };

const welcomeFrame: Shape = { fields: "server_time:i~" };

/** The fields of each frame that become decimals or Dates, by the frame's type. */
export const serverFrames: Readonly<Record<string, Shape>> = {
  welcome: welcomeFrame,
  subscribed: subscribedFrame,
  unsubscribed: unsubscribedFrame,
  tick: tickFrame,
  physical: physicalFrame,
  heartbeat: heartbeatFrame,
  gap: gapFrame,
  pong: pongFrame,
  error: errorFrame,
};

/**
 * What a frame must have, by its type: `count` is a whole number from 0 up, `counts` an object of them, a nested table an object.
 */
export const frameFields: Readonly<Record<string, FieldKinds>> = {
  welcome: {
    connection_id: "text",
    tier: "text",
    heartbeat_interval_seconds: "number",
    max_symbols: "number",
    max_connections: "number",
    server_time: "text",
  },
  subscribed: { symbols: "list", channels: "list", rejected: "list" },
  unsubscribed: { symbols: "list", channels: "list", rejected: "list" },
  tick: { symbol: "text", price: "text", conf: "text", computed_at: "text", seq: "count" },
  physical: {
    channel: "text",
    seq: "count",
    quote: {
      id: "text",
      source: "text",
      dealer: "text",
      product: "text",
      karat: "number",
      weight: "text",
      weight_unit: "text",
      currency: "text",
      quoted_at: "text",
    },
  },
  heartbeat: { ts: "text", seq: "counts", market: "text" },
  gap: { symbol: "text", from_seq: "count", to_seq: "count", reason: "text" },
  pong: { ts: "text" },
  error: { code: "text", message: "text", fatal: "boolean" },
};

/** The first frame, within 10 s. */
export interface AuthFrame {
  readonly action: "auth";
  /** The API key. Without it you have what the service gives callers without a key. */
  readonly api_key?: string;
}

/** Adds subscriptions. */
export interface SubscribeFrame {
  readonly action: "subscribe";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /** Symbols or aliases, in capitals or small letters. */
  readonly symbols?: readonly string[];
  /** Channels of dealer quotes. */
  readonly channels?: readonly string[];
  /** The last seq you received, by name; later ticks are sent, also of names you are subscribed to already. */
  readonly resume?: Readonly<Record<string, number>>;
}

/** Removes subscriptions. */
export interface UnsubscribeFrame {
  readonly action: "unsubscribe";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
  /** Symbols or aliases, in capitals or small letters. */
  readonly symbols?: readonly string[];
  /** Channels of dealer quotes. */
  readonly channels?: readonly string[];
}

/** Answered by a pong. */
export interface PingFrame {
  readonly action: "ping";
  /** Your own id for the frame, repeated in the response. */
  readonly id?: string | number;
}

/** Any frame a client sends, as on the wire. */
export type ClientFrame = AuthFrame | SubscribeFrame | UnsubscribeFrame | PingFrame;
