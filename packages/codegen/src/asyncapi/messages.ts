/** Every stream message: its schema, purpose and example. */
import {
  authFrame,
  EXAMPLE_MOMENT,
  EXAMPLE_READING,
  errorFrame,
  gapFrame,
  heartbeatFrame,
  physicalFrame,
  pingFrame,
  pongFrame,
  STREAM_CLOSES,
  subscribedFrame,
  subscribeFrame,
  tickFrame,
  unsubscribedFrame,
  unsubscribeFrame,
  welcomeFrame,
} from "@assay/contract";
import type { z } from "zod";

export interface MessageEntry {
  readonly schema: z.ZodType;
  readonly by: "client" | "service";
  readonly summary: string;
  readonly example: object;
  readonly answeredBy?: readonly string[];
}

/** Messages by name, client messages first. */
export const MESSAGES: Readonly<Record<string, MessageEntry>> = {
  auth: {
    schema: authFrame,
    by: "client",
    summary: "The first frame, within 10 s of the handshake: the API key, if you have one.",
    example: { action: "auth", api_key: "assay_live_…" },
    answeredBy: ["welcome", "error"],
  },
  subscribe: {
    schema: subscribeFrame,
    by: "client",
    summary: "Adds subscriptions. With `resume`, missed ticks are sent if they are at most 5 minutes old.",
    example: {
      action: "subscribe",
      id: "1",
      symbols: ["XAU-USD-SPOT"],
      channels: ["physical:AE"],
      resume: { "XAU-USD-SPOT": 1841 },
    },
    answeredBy: ["subscribed", "error"],
  },
  unsubscribe: {
    schema: unsubscribeFrame,
    by: "client",
    summary: "Removes subscriptions.",
    example: { action: "unsubscribe", id: "2", symbols: [], channels: ["physical:AE"] },
    answeredBy: ["unsubscribed", "error"],
  },
  ping: {
    schema: pingFrame,
    by: "client",
    summary: "Checks the connection, for clients that cannot send protocol pings.",
    example: { action: "ping", id: 3 },
    answeredBy: ["pong", "error"],
  },
  welcome: {
    schema: welcomeFrame,
    by: "service",
    summary: "The key was accepted.",
    example: {
      type: "welcome",
      connection_id: "0b8f6c1e-6f0e-4f43-9f0c-2f6f6d7f3a11",
      tier: "realtime_pro",
      heartbeat_interval_seconds: 15,
      max_symbols: 8,
      max_connections: 10,
      server_time: EXAMPLE_READING,
    },
  },
  subscribed: {
    schema: subscribedFrame,
    by: "service",
    summary: "Response to subscribe: all subscriptions, and the rejected names.",
    example: {
      type: "subscribed",
      id: "1",
      symbols: ["XAU-USD-SPOT"],
      channels: ["physical:AE"],
      rejected: [{ name: "XAU-EUR-SPOT", code: "invalid_symbol" }],
    },
  },
  unsubscribed: {
    schema: unsubscribedFrame,
    by: "service",
    summary: "Response to unsubscribe: all subscriptions.",
    example: { type: "unsubscribed", id: "2", symbols: ["XAU-USD-SPOT"], channels: [], rejected: [] },
  },
  tick: {
    schema: tickFrame,
    by: "service",
    summary: "A published price. The first one after subscribe is the last known price, marked `snapshot`.",
    example: { type: "tick", symbol: "XAU-USD-SPOT", price: "4003.20", conf: "0.20", computed_at: EXAMPLE_MOMENT, seq: 1842 },
  },
  physical: {
    schema: physicalFrame,
    by: "service",
    summary: "A dealer's quote changed.",
    example: {
      type: "physical",
      channel: "physical:AE",
      seq: 12,
      quote: {
        id: "dealer-feed:Souk Bullion:24K gram:24:1:gram",
        source: "dealer-feed",
        dealer: "Souk Bullion",
        product: "24K gram",
        karat: 24,
        weight: "1",
        weight_unit: "gram",
        currency: "AED",
        sell_price: "477.25",
        buyback_price: "470.50",
        quoted_at: EXAMPLE_MOMENT,
      },
    },
  },
  heartbeat: {
    schema: heartbeatFrame,
    by: "service",
    summary: "Sent every 15 s, always, with the newest number of each sequence.",
    example: { type: "heartbeat", ts: EXAMPLE_READING, seq: { "XAU-USD-SPOT": 1842, "physical:AE": 12 }, market: "open" },
  },
  gap: {
    schema: gapFrame,
    by: "service",
    summary: "Numbers that will not be sent, or a numbering that starts over; a tick follows.",
    example: { type: "gap", symbol: "XAU-USD-SPOT", from_seq: 1843, to_seq: 1850, reason: "slow_consumer" },
  },
  pong: { schema: pongFrame, by: "service", summary: "Response to ping.", example: { type: "pong", id: 3, ts: EXAMPLE_READING } },
  error: {
    schema: errorFrame,
    by: "service",
    summary: "Something is wrong. If `fatal` is true, the connection is closed next.",
    example: { type: "error", code: "slow_consumer", message: STREAM_CLOSES.slow_consumer.message, fatal: true },
  },
};

/** Messages of the SSE feed; all but the tick are named events. */
export const SSE_MESSAGES = ["tick", "heartbeat", "gap", "error"] as const;
