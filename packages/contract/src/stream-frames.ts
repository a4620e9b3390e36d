/** Frames of the streams, in both directions. */
import { z } from "zod";
import { TIER_NAMES } from "./tiers.ts";
import { clockReading, DEALER_WEIGHT_UNITS, decimal, timestamp } from "./values.ts";

/** Any string: an unknown name is rejected on its own; the frame's other names are still followed. */
const name = z.string();
const seq = z.int().min(0);

/** A client-chosen id that is echoed in the answer. */
export const frameId = z
  .union([z.string().max(64), z.int()])
  .meta({ description: "Your own id for the frame, repeated in the response", examples: ["1"] });

const symbols = z
  .array(name)
  .max(64)
  .default([])
  .meta({ description: "Symbols or aliases, in capitals or small letters", examples: [["XAU-USD-SPOT"]] });
const channels = z
  .array(name)
  .max(64)
  .default([])
  .meta({ description: "Channels of dealer quotes", examples: [["physical:AE"]] });

/** The first frame. */
export const authFrame = z
  .object({
    action: z.literal("auth"),
    api_key: z
      .string()
      .max(256)
      .meta({ description: "The API key. Without it you have what the service gives callers without a key" })
      .optional(),
  })
  .meta({ id: "AuthFrame", description: "The first frame, within 10 s" });

/** Subscribes to more names. */
export const subscribeFrame = z
  .object({
    action: z.literal("subscribe"),
    id: frameId.optional(),
    symbols,
    channels,
    resume: z
      .record(name, seq)
      .optional()
      .meta({
        description: "The last seq you received, by name; later ticks are sent, also of names you are subscribed to already",
        examples: [{ "XAU-USD-SPOT": 1841 }],
      }),
  })
  .meta({ id: "SubscribeFrame", description: "Adds subscriptions" });

export const unsubscribeFrame = z
  .object({ action: z.literal("unsubscribe"), id: frameId.optional(), symbols, channels })
  .meta({ id: "UnsubscribeFrame", description: "Removes subscriptions" });

/** Checks that the other side is alive. */
export const pingFrame = z
  .object({ action: z.literal("ping"), id: frameId.optional() })
  .meta({ id: "PingFrame", description: "Answered by a pong" });

/**
 * Any client frame: JSON text of at most 4 KiB. A field that its action does not have is refused, as ignoring one would answer another
 * question; only those of auth, which asks nothing, and names that begin with `_` are ignored.
 */
export const clientFrame = z.discriminatedUnion("action", [authFrame, subscribeFrame, unsubscribeFrame, pingFrame]);
export type ClientFrame = z.output<typeof clientFrame>;

/** The caller was admitted. */
export const welcomeFrame = z
  .object({
    type: z.literal("welcome"),
    connection_id: z.string().meta({ description: "Identifies the connection in the service's log" }),
    tier: z.enum(TIER_NAMES).meta({ description: "Your tier" }),
    heartbeat_interval_seconds: z.int().meta({ description: "Interval of heartbeats, which are also sent in a quiet market" }),
    max_symbols: z.int().meta({ description: "Maximum symbols per connection" }),
    max_connections: z.int().meta({ description: "Maximum open streams per key, or per address without one" }),
    server_time: clockReading("The service's clock"),
  })
  .meta({ id: "WelcomeFrame" });

/** Why a name can be rejected. */
export const REJECTIONS = ["invalid_symbol", "plan_gated", "too_many_symbols"] as const;
export type Rejection = (typeof REJECTIONS)[number];

const wholeSet = {
  id: frameId.optional(),
  symbols: z.array(z.string()).meta({ description: "Every symbol the connection is now subscribed to" }),
  channels: z.array(z.string()).meta({ description: "Every channel the connection is now subscribed to" }),
  rejected: z
    .array(
      z.object({
        name: z.string().meta({ description: "The name as it was sent" }),
        code: z.enum(REJECTIONS).meta({
          description: "Why it was rejected. In resume, invalid_symbol is a name that you are not subscribed to",
        }),
      }),
    )
    .meta({ description: "Rejected names of this request" }),
};

export const subscribedFrame = z
  .object({ type: z.literal("subscribed"), ...wholeSet })
  .meta({ id: "SubscribedFrame", description: "Response to subscribe, with all subscriptions" });

export const unsubscribedFrame = z
  .object({ type: z.literal("unsubscribed"), ...wholeSet })
  .meta({ id: "UnsubscribedFrame", description: "Response to unsubscribe, with all subscriptions" });

/** A published price. */
export const tickFrame = z
  .object({
    type: z.literal("tick"),
    symbol: z.string().meta({ description: "The symbol", examples: ["XAU-USD-SPOT"] }),
    price: decimal("The price in USD per unit of the metal"),
    conf: decimal("Half-width of the confidence band, in the price's unit", "0.20"),
    computed_at: timestamp("When the price was computed"),
    seq: seq.meta({ description: "Increases by one per symbol, the same for every connection and process", examples: [1841] }),
    snapshot: z.literal(true).optional().meta({ description: "The last known price, sent because you subscribed" }),
    stale_reason: z
      .literal("market_closed")
      .optional()
      .meta({
        description:
          "The market is closed: price and computed_at are those of GET /v1/spot. Only on snapshots; seq is the last number given " +
          "out, which you may have already, or 0",
      }),
  })
  .meta({ id: "TickFrame" });
export type TickFrame = z.output<typeof tickFrame>;

/** A dealer's quote as published on its channel. */
export const streamQuote = z
  .object({
    id: z.string().meta({ description: "Identifies a product of a source, here and at /v1/physical" }),
    source: z.string().meta({ description: "Who reported it" }),
    dealer: z.string().meta({ description: "The dealer" }),
    product: z.string().meta({ description: "What is sold" }),
    karat: z.number().meta({ description: "Purity in parts of 24" }),
    weight: decimal("Weight of the product", "1"),
    weight_unit: z.enum(DEALER_WEIGHT_UNITS).meta({ description: "Unit of the weight" }),
    currency: z.string().length(3).meta({ description: "ISO 4217 code of both prices" }),
    sell_price: decimal("What a customer pays for the product; null where the dealer does not say", "477.25").nullable(),
    buyback_price: decimal("What a customer is paid; null where the dealer does not say", "470.50").nullable(),
    quoted_at: timestamp("When the dealer said so"),
  })
  .meta({ id: "StreamQuote" });
export type StreamQuote = z.output<typeof streamQuote>;

/** A dealer's quote changed. */
export const physicalFrame = z
  .object({
    type: z.literal("physical"),
    channel: z.string().meta({ description: "The channel", examples: ["physical:AE"] }),
    seq: seq.meta({ description: "Increases by one per channel" }),
    quote: streamQuote.meta({ description: "The current quote" }),
    snapshot: z.literal(true).optional().meta({ description: "The last quote that changed, sent because you subscribed" }),
  })
  .meta({ id: "PhysicalFrame" });

/** The connection is alive; carries the current position of each sequence. */
export const heartbeatFrame = z
  .object({
    type: z.literal("heartbeat"),
    ts: clockReading("The service's clock"),
    seq: z
      .record(z.string(), seq)
      .meta({ description: "The newest seq of every subscription; if yours differs, ticks were lost" }),
    market: z.enum(["open", "closed"]).meta({ description: "Whether the spot market is open" }),
  })
  .meta({ id: "HeartbeatFrame" });

/** Reasons for missing sequence numbers. */
export const GAP_REASONS = ["expired", "missed", "slow_consumer", "reset"] as const;
/** A reason for missing sequence numbers. */
export type GapReason = (typeof GAP_REASONS)[number];

/** Sequence numbers that will not be sent. */
export const gapFrame = z
  .object({
    type: z.literal("gap"),
    symbol: z.string().meta({ description: "The symbol or channel" }),
    from_seq: seq.meta({ description: "The first number that will not be sent; for a reset, the number of the next tick" }),
    to_seq: seq.meta({ description: "The last number that will not be sent; for a reset, the last number you have" }),
    reason: z.enum(GAP_REASONS).meta({
      description:
        "expired: older than is kept, or more than is sent at once. missed: the service itself missed it. slow_consumer: you read too slowly. " +
        "reset: the numbering started over, and the numbers from_seq to to_seq that you have belong to the old one",
    }),
  })
  .meta({ id: "GapFrame", description: "Numbers that will not be sent, or a numbering that starts over; a tick follows" });
export type GapFrame = z.output<typeof gapFrame>;

export const pongFrame = z
  .object({ type: z.literal("pong"), id: frameId.optional(), ts: clockReading("The service's clock") })
  .meta({ id: "PongFrame" });

/** Errors that do not close the connection, and when they occur. */
export const FRAME_ERRORS = {
  validation_error:
    "A frame of a known action has a missing field, one it does not know, or one of the wrong type. The whole frame is ignored.",
  already_authenticated: "A second auth frame. The connection keeps its key.",
} as const;

export const errorFrame = z
  .object({
    type: z.literal("error"),
    id: frameId.optional(),
    code: z.string().meta({
      description: `Machine code: ${Object.keys(FRAME_ERRORS).join(" or ")} if the connection stays open, otherwise the code of the close that follows`,
      examples: ["slow_consumer"],
    }),
    message: z.string().meta({ description: "Human-readable message" }),
    fatal: z.boolean().meta({ description: "Whether the connection is closed now" }),
  })
  .meta({ id: "ErrorFrame" });

export const serverFrame = z.discriminatedUnion("type", [
  welcomeFrame,
  subscribedFrame,
  unsubscribedFrame,
  tickFrame,
  physicalFrame,
  heartbeatFrame,
  gapFrame,
  pongFrame,
  errorFrame,
]);
export type ServerFrame = z.output<typeof serverFrame>;
