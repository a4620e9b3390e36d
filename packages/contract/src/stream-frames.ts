/** The frames of the streams, in both directions. */
import { z } from "zod";
import { TIER_NAMES } from "./tiers.ts";
import { decimal, timestamp } from "./values.ts";

/** Any text: one that names nothing is rejected by itself, and the other names of its frame are followed. */
const name = z.string();
const seq = z.int().min(0);

/** What a client may put on a frame to recognise its answer. */
export const frameId = z
  .union([z.string().max(64), z.int()])
  .meta({ description: "Your own id for the frame, echoed on its answer", examples: ["1"] });

const symbols = z
  .array(name)
  .max(64)
  .default([])
  .meta({ description: "Symbols or aliases, in any case", examples: [["XAU-USD-SPOT"]] });
const channels = z
  .array(name)
  .max(64)
  .default([])
  .meta({ description: "Channels of dealer quotes", examples: [["physical:AE"]] });

/** The first frame. */
export const authFrame = z
  .object({
    action: z.literal("auth"),
    api_key: z.string().max(256).meta({ description: "The API key" }),
  })
  .meta({ id: "AuthFrame", description: "The first frame, within 10 s" });

/** Follows more. */
export const subscribeFrame = z
  .object({
    action: z.literal("subscribe"),
    id: frameId.optional(),
    symbols,
    channels,
    resume: z
      .record(name, seq)
      .optional()
      .meta({ description: "The last seq received, by name: later ones follow", examples: [{ "XAU-USD-SPOT": 1841 }] }),
  })
  .meta({ id: "SubscribeFrame", description: "Adds to what the connection follows" });

/** Follows less. */
export const unsubscribeFrame = z
  .object({ action: z.literal("unsubscribe"), id: frameId.optional(), symbols, channels })
  .meta({ id: "UnsubscribeFrame", description: "Takes from what the connection follows" });

/** Asks whether the other side is there. */
export const pingFrame = z
  .object({ action: z.literal("ping"), id: frameId.optional() })
  .meta({ id: "PingFrame", description: "Answered by a pong" });

/** Any frame a client sends: a JSON text of 4 KiB at most. Fields that are not listed are ignored. */
export const clientFrame = z.discriminatedUnion("action", [authFrame, subscribeFrame, unsubscribeFrame, pingFrame]);
/** Any frame a client sends. */
export type ClientFrame = z.output<typeof clientFrame>;

/** The key was accepted. */
export const welcomeFrame = z
  .object({
    type: z.literal("welcome"),
    connection_id: z.string().meta({ description: "Names the connection in the service's log" }),
    tier: z.enum(TIER_NAMES).meta({ description: "The key's tier" }),
    heartbeat_interval_seconds: z.int().meta({ description: "A heartbeat comes this often, whatever else does" }),
    max_symbols: z.int().meta({ description: "Symbols one connection may follow" }),
    max_connections: z.int().meta({ description: "Streams the key may have open at once" }),
    server_time: timestamp("The service's clock"),
  })
  .meta({ id: "WelcomeFrame" });

/** What may be wrong with a name in a subscription. */
export const REJECTIONS = ["invalid_symbol", "plan_gated", "too_many_symbols"] as const;
/** Why a name was rejected. */
export type Rejection = (typeof REJECTIONS)[number];

const wholeSet = {
  id: frameId.optional(),
  symbols: z.array(z.string()).meta({ description: "Every symbol the connection follows now" }),
  channels: z.array(z.string()).meta({ description: "Every channel the connection follows now" }),
  rejected: z
    .array(
      z.object({
        name: z.string().meta({ description: "The name as it was sent" }),
        code: z.enum(REJECTIONS).meta({ description: "Why it is not followed" }),
      }),
    )
    .meta({ description: "Names of this request that are not followed" }),
};

/** The answer to subscribe. */
export const subscribedFrame = z
  .object({ type: z.literal("subscribed"), ...wholeSet })
  .meta({ id: "SubscribedFrame", description: "The answer to subscribe: the whole set" });

/** The answer to unsubscribe. */
export const unsubscribedFrame = z
  .object({ type: z.literal("unsubscribed"), ...wholeSet })
  .meta({ id: "UnsubscribedFrame", description: "The answer to unsubscribe: the whole set" });

/** A published price. */
export const tickFrame = z
  .object({
    type: z.literal("tick"),
    symbol: z.string().meta({ description: "The symbol", examples: ["XAU-USD-SPOT"] }),
    price: decimal("The price in USD per unit of the metal"),
    conf: decimal("Half-width of the confidence band, in the price's unit", "0.20"),
    computed_at: timestamp("When the price was computed"),
    seq: seq.meta({ description: "Rises by one per symbol, the same for every connection and process", examples: [1841] }),
    snapshot: z.literal(true).optional().meta({ description: "The last known price, sent because you subscribed" }),
  })
  .meta({ id: "TickFrame" });
/** A published price. */
export type TickFrame = z.output<typeof tickFrame>;

/** A dealer's quote, as its channel tells it. */
export const streamQuote = z
  .object({
    id: z.string().meta({ description: "The same for the same product of the same source, here and at /v1/physical" }),
    source: z.string().meta({ description: "Who reported it" }),
    dealer: z.string().meta({ description: "The dealer" }),
    product: z.string().meta({ description: "What is sold" }),
    karat: z.number().meta({ description: "Purity in parts of 24" }),
    weight: decimal("Weight of the product", "1"),
    weight_unit: z.enum(["gram", "kg", "oz", "tola", "tael", "luong", "chi"]).meta({ description: "Unit of the weight" }),
    currency: z.string().length(3).meta({ description: "ISO 4217 code of both prices" }),
    sell_price: decimal("What a customer pays for the product; null where the dealer does not say", "477.25").nullable(),
    buyback_price: decimal("What a customer is paid; null where the dealer does not say", "470.50").nullable(),
    quoted_at: timestamp("When the dealer said so"),
  })
  .meta({ id: "StreamQuote" });
/** A dealer's quote, as its channel tells it. */
export type StreamQuote = z.output<typeof streamQuote>;

/** A dealer's quote changed. */
export const physicalFrame = z
  .object({
    type: z.literal("physical"),
    channel: z.string().meta({ description: "The channel", examples: ["physical:AE"] }),
    seq: seq.meta({ description: "Rises by one per channel" }),
    quote: streamQuote.meta({ description: "The quote as it is now" }),
    snapshot: z.literal(true).optional().meta({ description: "The last quote that changed, sent because you subscribed" }),
  })
  .meta({ id: "PhysicalFrame" });

/** The connection lives, and this is where each of its sequences stands. */
export const heartbeatFrame = z
  .object({
    type: z.literal("heartbeat"),
    ts: timestamp("The service's clock"),
    seq: z.record(z.string(), seq).meta({ description: "The newest seq of everything followed: another than yours is a loss" }),
    market: z.enum(["open", "closed"]).meta({ description: "Whether the spot market trades" }),
  })
  .meta({ id: "HeartbeatFrame" });

/** Why numbers are missing. */
export const GAP_REASONS = ["expired", "missed", "slow_consumer", "reset"] as const;
/** Why numbers are missing. */
export type GapReason = (typeof GAP_REASONS)[number];

/** Numbers that will not be sent. */
export const gapFrame = z
  .object({
    type: z.literal("gap"),
    symbol: z.string().meta({ description: "The symbol or channel" }),
    from_seq: seq.meta({ description: "The first number that will not come; of a reset, the number of the next tick" }),
    to_seq: seq.meta({ description: "The last number that will not come; of a reset, the last number you have" }),
    reason: z.enum(GAP_REASONS).meta({
      description:
        "expired: longer ago than is kept. missed: the service itself does not have it. slow_consumer: you read too slowly. " +
        "reset: the numbering began anew, and the numbers you have from from_seq to to_seq are of the old one",
    }),
  })
  .meta({ id: "GapFrame", description: "Numbers that will not be sent, or that begin anew; a tick follows" });
/** Numbers that will not be sent. */
export type GapFrame = z.output<typeof gapFrame>;

/** The answer to ping. */
export const pongFrame = z
  .object({ type: z.literal("pong"), id: frameId.optional(), ts: timestamp("The service's clock") })
  .meta({ id: "PongFrame" });

/** Errors that do not end a connection, and when they happen. */
export const FRAME_ERRORS = {
  validation_error: "A frame of a known action has a field of the wrong type, or lacks one. Nothing of it is carried out.",
  already_authenticated: "An auth frame after the first. The connection goes on with its key.",
} as const;

/** Something is wrong. */
export const errorFrame = z
  .object({
    type: z.literal("error"),
    id: frameId.optional(),
    code: z.string().meta({
      description: `Machine code: ${Object.keys(FRAME_ERRORS).join(" or ")} when the connection goes on, else the code of the close that follows`,
      examples: ["slow_consumer"],
    }),
    message: z.string().meta({ description: "What is wrong, in words" }),
    fatal: z.boolean().meta({ description: "Whether the connection is closed now" }),
  })
  .meta({ id: "ErrorFrame" });

/** Any frame the service sends. */
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
/** Any frame the service sends. */
export type ServerFrame = z.output<typeof serverFrame>;
