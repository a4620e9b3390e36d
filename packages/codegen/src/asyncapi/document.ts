/** The AsyncAPI 3 document of the streams: the messages in both directions, and how connections end. */
import {
  METAL_NAMES,
  mayReconnect,
  STREAM_CLOSES,
  STREAM_LIMITS,
  STREAM_NAMES,
  STREAM_PATH,
  type StreamClose,
  streams,
  VERSION,
} from "@assay/contract";
import { z } from "zod";
import { MESSAGES, SSE_MESSAGES } from "./messages.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["$schema", "$id", "definitions"]);

/** Points references at the document's shared schemas, and drops keywords that only a root schema may have. */
const placed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      // Under `properties`, `id` can be a property's name; its value is then a schema.
      if (LEFT_OUT.has(key) || (key === "id" && typeof inner === "string")) return [];
      if (key === "$ref" && typeof inner === "string") return [[key, inner.replace("#/definitions/", "#/components/schemas/")]];
      return [[key, placed(inner)]];
    }),
  );
};

export const schemaName = (message: string): string => MESSAGES[message]?.schema.meta()?.id ?? message;

/** Every schema by name, including those shared between messages. */
const messageSchemas = (): Record<string, unknown> => {
  const schemas: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(MESSAGES)) {
    const json = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    const shared = Object.entries(json.definitions ?? {});
    for (const [id, inner] of shared) schemas[id] = placed(inner);
    // A schema with its own id may be moved to the shared ones, leaving only a reference in its place.
    schemas[schemaName(name)] ??= placed(json);
  }
  return schemas;
};

export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

const DESCRIPTION = [
  `Live prices of ${METAL_NAMES}, and dealers' quotes, over WebSocket and server-sent events.`,
  "",
  "Every tick has a `seq` that increases by one per symbol and is the same for every connection and process: a missing number is a lost tick.",
  "Losses are reported by `gap`. Heartbeats have the newest numbers every 15 s, so that a dead connection cannot be mistaken for a quiet market.",
  "Amounts are decimal strings. Bars are not streamed.",
].join("\n");

const seconds = (ms: number): number => ms / 1000;
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const reference = (path: string) => ({ $ref: `#/${path}` });

const closeCodes = Object.entries<StreamClose>(STREAM_CLOSES).map(([error, { close, condition }]) => ({
  close,
  error,
  condition,
  reconnect: mayReconnect(close),
}));

const limits = {
  frame_bytes: STREAM_LIMITS.maxFrameBytes,
  frames: STREAM_LIMITS.maxFrames,
  frames_window_seconds: seconds(STREAM_LIMITS.frameWindowMs),
  auth_within_seconds: seconds(STREAM_LIMITS.authWithinMs),
  heartbeat_seconds: seconds(STREAM_LIMITS.heartbeatMs),
  ping_seconds: seconds(STREAM_LIMITS.pingMs),
  pong_within_seconds: seconds(STREAM_LIMITS.pongWithinMs),
  resume_within_seconds: seconds(STREAM_LIMITS.ringMs),
  symbols: STREAM_LIMITS.maxSymbols,
  buffer_bytes: STREAM_LIMITS.maxBufferBytes,
  behind_seconds: seconds(STREAM_LIMITS.maxLagMs),
};

const messageComponents = () =>
  Object.fromEntries(
    Object.entries(MESSAGES).map(([name, { summary, example }]) => [
      name,
      {
        name,
        title: upperFirst(name),
        summary,
        contentType: "application/json",
        payload: reference(`components/schemas/${schemaName(name)}`),
        examples: [{ name, payload: example }],
      },
    ]),
  );

const channels = () => ({
  stream: {
    address: STREAM_PATH,
    title: "WebSocket",
    description:
      "JSON text frames. The first frame contains the key; needs tier realtime_pro. Where callers without a key have it, they send auth without one. " +
      "Before the service closes a connection, it sends an error with the same code.",
    servers: [reference("servers/websocket")],
    messages: Object.fromEntries(Object.keys(MESSAGES).map((name) => [name, reference(`components/messages/${name}`)])),
    bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
    "x-names": STREAM_NAMES,
    "x-limits": limits,
    "x-close-codes": closeCodes,
  },
  prices: {
    address: streams.prices.path,
    title: "Server-sent events",
    description: `${streams.prices.description} The query parameter \`symbol\` names the symbol; \`lastEventId\`, Assay's own, stands for the header \`Last-Event-ID\` in clients that send it in the URL. The wait before a reconnect is ${seconds(STREAM_LIMITS.sseRetryMs)} s. After about ${seconds(STREAM_LIMITS.sseLifetimeMs) / 60} minutes a feed ends in good order; the client resumes after ${seconds(STREAM_LIMITS.sseResumeMs)} s with \`Last-Event-ID\`.`,
    servers: [reference("servers/events")],
    messages: Object.fromEntries(SSE_MESSAGES.map((name) => [name, reference(`components/messages/${name}`)])),
    "x-sse-events": Object.fromEntries(SSE_MESSAGES.map((name) => [name, name === "tick" ? null : name])),
  },
});

/** One operation per WebSocket message, and one for the SSE feed. `receive` and `send` are from the service's side. */
const operations = () => ({
  ...Object.fromEntries(
    Object.entries(MESSAGES).map(([name, { by, summary, answeredBy }]) => [
      by === "client" ? `receive${upperFirst(name)}` : `send${upperFirst(name)}`,
      {
        action: by === "client" ? "receive" : "send",
        channel: reference("channels/stream"),
        title: upperFirst(name),
        summary,
        messages: [reference(`channels/stream/messages/${name}`)],
        ...(answeredBy && {
          reply: {
            channel: reference("channels/stream"),
            messages: answeredBy.map((answer) => reference(`channels/stream/messages/${answer}`)),
          },
        }),
      },
    ]),
  ),
  sendPrices: {
    action: "send",
    channel: reference("channels/prices"),
    title: "Prices",
    summary: streams.prices.summary,
    messages: SSE_MESSAGES.map((name) => reference(`channels/prices/messages/${name}`)),
  },
});

/**
 * Builds the document.
 * @param publicUrl base of the service's links
 */
export const asyncApiDocument = (publicUrl: string): AsyncApiDocument => {
  const { protocol, host, pathname } = new URL(publicUrl);
  const isSecure = protocol === "https:";
  const base = pathname === "/" ? {} : { pathname };
  return {
    asyncapi: "3.1.0",
    info: {
      title: "Assay streams",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      tags: [{ name: "Streams", description: "Live prices and dealers' quotes" }],
    },
    defaultContentType: "application/json",
    servers: {
      websocket: {
        host,
        ...base,
        protocol: isSecure ? "wss" : "ws",
        description: "The key goes into the first frame.",
        security: [reference("components/securitySchemes/firstFrame")],
      },
      events: {
        host,
        ...base,
        protocol: isSecure ? "https" : "http",
        description: "The key goes into a header, as on every other route.",
        security: [reference("components/securitySchemes/bearer"), reference("components/securitySchemes/apiKey")],
      },
    },
    channels: channels(),
    operations: operations(),
    components: {
      messages: messageComponents(),
      schemas: messageSchemas(),
      securitySchemes: {
        firstFrame: { type: "apiKey", in: "user", description: "`api_key` of the auth frame" },
        bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
        apiKey: { type: "httpApiKey", in: "header", name: "X-API-Key", description: "An alias of the bearer form" },
      },
    },
  };
};
