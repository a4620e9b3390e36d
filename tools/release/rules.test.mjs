/** Every rule, with a pair of documents that breaks it and one that does not. */
import { describe, expect, test } from "vitest";
import { asyncApiSurface } from "./asyncapi-surface.mjs";
import { breaksOf } from "./compare.mjs";
import { openApiSurface } from "./openapi-surface.mjs";
import { REMOVED, RULES } from "./rules.mjs";

const json = (schema) => ({ "application/json": { schema } });
const refusal = (code) => ({ type: "object", properties: { error: { type: "string", const: code } }, required: ["error"] });

/** One route and one body, with a schema under test in each direction. */
const openapi = ({ asked = { type: "string" }, answered = { type: "string" } } = {}) => ({
  openapi: "3.1.0",
  paths: {
    "/v1/bars": {
      post: {
        operationId: "barsList",
        "x-tier": "pro",
        "x-metered": false,
        security: [{ bearer: [] }, {}],
        parameters: [{ in: "query", name: "symbol", schema: asked, required: true }],
        requestBody: { content: { ...json({ type: "object", properties: { name: asked } }), "text/csv": {} } },
        responses: {
          200: {
            headers: { ETag: { schema: { type: "string" } } },
            content: { ...json({ $ref: "#/components/schemas/Bars" }), "text/csv": {} },
          },
          304: {},
          429: { content: json({ oneOf: [refusal("rate_limited"), refusal("quota_exceeded")] }) },
        },
      },
      get: { operationId: "barsGet", security: [], responses: {} },
    },
  },
  components: {
    schemas: {
      Tier: { type: "object", properties: { name: { enum: ["free", "pro", "realtime_pro"] } } },
      Bars: { type: "object", properties: { open: answered }, required: ["open"] },
    },
  },
});

const asyncapi = () => ({
  asyncapi: "3.0.0",
  servers: { ws: { security: [{ type: "apiKey" }] } },
  channels: {
    stream: {
      address: "/v1/stream",
      servers: [{ $ref: "#/servers/ws" }],
      messages: {
        ping: { name: "ping", payload: { type: "object", properties: { id: { type: "string", maxLength: 64 } } } },
        pong: { name: "pong", payload: { type: "object", properties: { ts: { type: "string" }, id: { type: "string" } } } },
        tick: { name: "tick", payload: { type: "object", properties: { price: { type: "string" } } } },
      },
      "x-names": ["XAU-USD-SPOT", "XAG-USD-SPOT"],
      "x-limits": { symbols: 8, heartbeat_seconds: 15 },
      "x-close-codes": [
        { close: 4400, error: "bad_frame", condition: "A frame is wrong.", reconnect: false },
        { close: 4508, error: "slow_consumer", condition: "It is slow.", reconnect: true },
      ],
      "x-sse-events": { tick: null, pong: "pong" },
    },
  },
  operations: {
    receivePing: {
      action: "receive",
      channel: { $ref: "#/channels/stream" },
      messages: [{ $ref: "#/channels/stream/messages/ping" }],
      reply: { channel: { $ref: "#/channels/stream" }, messages: [{ $ref: "#/channels/stream/messages/pong" }] },
    },
    sendTick: {
      action: "send",
      channel: { $ref: "#/channels/stream" },
      messages: [{ $ref: "#/channels/stream/messages/tick" }],
    },
  },
});

const OPENAPI = { make: openapi, surface: openApiSurface };
const ASYNCAPI = { make: asyncapi, surface: asyncApiSurface };
const bars = (document) => document.paths["/v1/bars"].post;
const stream = (document) => document.channels.stream;

/** The rule, the document, a change that breaks it, what is said, and a change that does not. */
const CHANGES = [
  [
    REMOVED,
    OPENAPI,
    (document) => delete document.paths["/v1/bars"].get,
    "GET /v1/bars: removed",
    (document) => Object.assign(document.paths, { "/v1/signals": { get: { operationId: "signals", responses: {} } } }),
  ],
  [
    "operation renamed",
    OPENAPI,
    (document) => Object.assign(bars(document), { operationId: "listBars" }),
    "POST /v1/bars: operation renamed: barsList",
    (document) => Object.assign(bars(document), { summary: "Bars" }),
  ],
  [
    "way to authenticate removed",
    OPENAPI,
    (document) => bars(document).security.pop(),
    "POST /v1/bars: way to authenticate removed: no key",
    (document) => bars(document).security.push({ apiKey: [] }),
  ],
  [
    "tier refused",
    OPENAPI,
    (document) => Object.assign(bars(document), { "x-tier": "realtime_pro" }),
    "POST /v1/bars: tier refused: pro",
    (document) => Object.assign(bars(document), { "x-tier": "free" }),
  ],
  [
    "newly metered",
    OPENAPI,
    (document) => Object.assign(bars(document), { "x-metered": true }),
    "POST /v1/bars: newly metered: a call",
    (document) => Object.assign(bars(document), { deprecated: true }),
  ],
  [
    "status removed",
    OPENAPI,
    (document) => delete bars(document).responses["304"],
    "POST /v1/bars: status removed: 304",
    (document) => Object.assign(bars(document).responses, { 503: {} }),
  ],
  [
    "error code removed",
    OPENAPI,
    (document) => bars(document).responses["429"].content["application/json"].schema.oneOf.pop(),
    "POST /v1/bars: error code removed: 429 quota_exceeded",
    (document) => bars(document).responses["429"].content["application/json"].schema.oneOf.push(refusal("too_many")),
  ],
  [
    "content type removed",
    OPENAPI,
    (document) => delete bars(document).responses["200"].content["text/csv"],
    "POST /v1/bars: content type removed: 200 text/csv",
    (document) => Object.assign(bars(document).responses["200"].content, { "text/plain": {} }),
  ],
  [
    "response header removed",
    OPENAPI,
    (document) => delete bars(document).responses["200"].headers.ETag,
    "POST /v1/bars: response header removed: 200 ETag",
    (document) => Object.assign(bars(document).responses["200"].headers, { Vary: {} }),
  ],
  [
    "request kind removed",
    ASYNCAPI,
    (document) => delete document.operations.receivePing,
    "frames of /v1/stream: request kind removed: ping",
    (document) => Object.assign(document.operations, { receivePong: { ...document.operations.receivePing } }),
  ],
  [
    "request kind removed",
    OPENAPI,
    (document) => delete bars(document).requestBody.content["text/csv"],
    "POST /v1/bars: request kind removed: text/csv",
    (document) => Object.assign(bars(document).requestBody.content, { "text/plain": {} }),
  ],
  [
    "frame removed",
    ASYNCAPI,
    (document) => delete document.operations.sendTick,
    "frames of /v1/stream: frame removed: tick",
    (document) => document.operations.sendTick.messages.push({ $ref: "#/channels/stream/messages/pong" }),
  ],
  [
    "frame removed",
    ASYNCAPI,
    (document) => Object.assign(stream(document)["x-sse-events"], { tick: "tick" }),
    "frames of /v1/stream: frame removed: tick as the event message",
    (document) => Object.assign(stream(document)["x-sse-events"], { gap: "gap" }),
  ],
  [
    "close code removed",
    ASYNCAPI,
    (document) => stream(document)["x-close-codes"].pop(),
    "frames of /v1/stream: close code removed: 4508 slow_consumer, reconnect",
    (document) => stream(document)["x-close-codes"].push({ close: 4510, error: "server_draining", reconnect: true }),
  ],
  [
    "close code removed",
    ASYNCAPI,
    (document) => Object.assign(stream(document)["x-close-codes"][0], { reconnect: true }),
    "frames of /v1/stream: close code removed: 4400 bad_frame, do not reconnect",
    (document) => Object.assign(stream(document)["x-close-codes"][0], { condition: "A frame is not JSON." }),
  ],
  [
    "stream name removed",
    ASYNCAPI,
    (document) => stream(document)["x-names"].pop(),
    "frames of /v1/stream: stream name removed: XAG-USD-SPOT",
    (document) => stream(document)["x-names"].push("HG-USD-SPOT"),
  ],
  [
    "stream limit tightened",
    ASYNCAPI,
    (document) => Object.assign(stream(document)["x-limits"], { symbols: 4 }),
    "frames of /v1/stream: stream limit tightened: symbols 8 to 4",
    (document) => Object.assign(stream(document)["x-limits"], { symbols: 16 }),
  ],
  [
    "stream limit tightened",
    ASYNCAPI,
    (document) => Object.assign(stream(document)["x-limits"], { heartbeat_seconds: 30 }),
    "frames of /v1/stream: stream limit tightened: heartbeat_seconds 15 to 30",
    (document) => Object.assign(stream(document)["x-limits"], { heartbeat_seconds: 10 }),
  ],
  [
    "response field removed",
    ASYNCAPI,
    (document) => delete stream(document).messages.pong.payload.properties.id,
    "frames of /v1/stream, pong: response field removed: id",
    (document) => Object.assign(stream(document).messages.pong.payload.properties, { seq: { type: "integer" } }),
  ],
  [
    "request bound narrowed",
    ASYNCAPI,
    (document) => Object.assign(stream(document).messages.ping.payload.properties.id, { maxLength: 32 }),
    "frames of /v1/stream, ping.id: request bound narrowed: maxLength 64 beside 32",
    (document) => delete stream(document).messages.ping.payload.properties.id.maxLength,
  ],
  [
    "request field required",
    OPENAPI,
    (document) => bars(document).parameters.push({ in: "query", name: "interval", required: true, schema: {} }),
    "POST /v1/bars, query: request field required: interval",
    (document) => bars(document).parameters.push({ in: "query", name: "interval", schema: {} }),
  ],
  [
    "request field required",
    OPENAPI,
    (document) => Object.assign(bars(document).requestBody, { required: true }),
    "POST /v1/bars: request field required: body",
    (document) => Object.assign(bars(document).parameters[0], { required: false }),
  ],
  [
    "request field removed",
    OPENAPI,
    (document) => bars(document).parameters.pop(),
    "POST /v1/bars, query: request field removed: symbol",
    (document) => bars(document).parameters.push({ in: "header", name: "X-Trace", schema: {} }),
  ],
];

const TEXT = { type: "string" };
const object = (properties, more = {}) => ({ type: "object", properties, ...more });

/** The rule, a schema, one that breaks callers, what is said, and one that does not. */
const SCHEMAS = [
  ["request field removed", object({ a: TEXT }), object({}), "a", object({ a: TEXT, b: TEXT })],
  ["request field required", object({ a: TEXT }), object({ a: TEXT }, { required: ["a"] }), "a", object({ a: TEXT, b: TEXT })],
  ["request type narrowed", { type: "number" }, { type: "integer" }, "number", { type: ["number", "null"] }],
  ["request type narrowed", {}, TEXT, "any type", true],
  ["request type narrowed", { type: ["string", "null"] }, TEXT, "null", { anyOf: [TEXT, { type: "null" }] }],
  ["request value removed", { enum: ["a", "b"] }, { enum: ["a"] }, "b", { enum: ["a", "b", "c"] }],
  ["request value removed", TEXT, { type: "string", enum: ["a"] }, "any value", { type: "string", "x-extensible-enum": ["a"] }],
  [
    "request value removed",
    { "x-closed-enum": ["a", "b"] },
    { "x-closed-enum": ["b"] },
    "a",
    { "x-extensible-enum": ["a", "b"] },
  ],
  ["known request value removed", { "x-extensible-enum": ["a", "b"] }, { "x-extensible-enum": ["b", "c"] }, "a", {}],
  ["known request value removed", { "x-words": ["a", "b"] }, { "x-words": ["b"] }, "a", { "x-words": ["a", "b", "c"] }],
  ["request bound narrowed", { maxLength: 64 }, { maxLength: 32 }, "maxLength 64 beside 32", { maxLength: 65 }],
  ["request bound narrowed", { minimum: 1 }, { minimum: 2 }, "minimum 1 beside 2", { minimum: 0 }],
  ["request bound narrowed", { type: "array" }, { type: "array", maxItems: 8 }, "maxItems none beside 8", { type: "array" }],
  ["request bound narrowed", {}, { maximum: 9 }, "maximum none beside 9", { maximum: Number.MAX_SAFE_INTEGER }],
  ["request form changed", TEXT, { type: "string", format: "date" }, "format none beside date", { type: "string" }],
  ["request form changed", { pattern: "^a" }, { pattern: "^b" }, "pattern ^a beside ^b", {}],
  [
    "request alternative removed",
    { anyOf: [{ format: "date" }, { format: "date-time" }] },
    { format: "date" },
    "date-time",
    { anyOf: [{ format: "date-time" }, { format: "date" }, { format: "time" }] },
  ],
  [
    "request alternative removed",
    { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] },
    { type: "string", anyOf: [{ type: "string", format: "date" }] },
    "date-time",
    { type: "string", anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) },
  ],
  [
    "request default changed",
    { type: "integer", default: 100 },
    { type: "integer", default: 10 },
    "100 to 10",
    { type: "integer", default: 100 },
  ],
  ["request default changed", { default: "1d" }, {}, '"1d" to none', { default: "1d", enum: undefined }],
  [
    "request closed to other fields",
    object({}),
    object({}, { additionalProperties: false }),
    "other fields",
    object({ a: TEXT }),
  ],
  ["response field removed", object({ a: TEXT }), object({}), "a", object({ a: TEXT, b: TEXT })],
  [
    "response field may be missing",
    object({ a: TEXT }, { required: ["a"] }),
    object({ a: TEXT }),
    "a",
    object({ a: TEXT, b: TEXT }, { required: ["a", "b"] }),
  ],
  ["response type changed", TEXT, { type: ["string", "null"] }, "null", TEXT],
  ["response type changed", { type: "integer" }, { type: "number" }, "number", { type: "integer" }],
  ["response type changed", { type: ["number", "null"] }, { type: ["string", "null"] }, "string", { type: "integer" }],
  ["closed response enum grew", { enum: ["a"] }, { enum: ["a", "b"] }, "b", { const: "a" }],
  ["closed response enum grew", { const: "a" }, TEXT, "any value", { const: "a" }],
  [
    "closed response enum grew",
    { enum: ["XAU-USD-SPOT"] },
    { enum: ["XAU-USD-SPOT", "XAU-AB-SPOT"] },
    "XAU-AB-SPOT",
    { enum: ["XAU-USD-SPOT", "XAG-EUR-SPOT", "gold-silver", "JPY", "xag", "tola"] },
  ],
  ["response bound widened", { minimum: 0 }, { minimum: -1 }, "minimum -1 beside 0", { minimum: 1 }],
  ["response bound widened", { maxLength: 3 }, {}, "maxLength none beside 3", { maxLength: 2 }],
  ["response form changed", { format: "decimal" }, {}, "format none beside decimal", { format: "decimal", pattern: "^1" }],
  ["response alternative added", TEXT, { anyOf: [TEXT, { type: "boolean" }] }, "boolean", { anyOf: [TEXT] }],
  [
    "response alternative added",
    { anyOf: [TEXT, { type: "integer" }] },
    { anyOf: [TEXT, { type: "integer" }, { type: "null" }] },
    "null",
    { type: "integer" },
  ],
];

const sideOf = (rule) => (RULES.find(({ name }) => name === rule).at === "request" ? "asked" : "answered");

describe("a rule is broken by a change, and not by its harmless sibling", () => {
  test.each(CHANGES)("%s", (_rule, { make, surface }, breaking, said, harmless) => {
    const changed = (change) => {
      const document = make();
      change(document);
      return breaksOf(surface(make()), surface(document));
    };
    expect(changed(breaking)).toContain(said);
    expect(changed(harmless)).toEqual([]);
  });

  test.each(SCHEMAS)("%s: %j to %j", (rule, before, breaking, said, harmless) => {
    const side = sideOf(rule);
    const compared = (after) => breaksOf(openApiSurface(openapi({ [side]: before })), openApiSurface(openapi({ [side]: after })));
    const places = side === "asked" ? ["query.symbol", "body.name"] : ["200.open"];
    for (const place of places) expect(compared(breaking)).toContain(`POST /v1/bars, ${place}: ${rule}: ${said}`);
    expect(compared(harmless)).toEqual([]);
  });
});

test("every rule has a pair here", () => {
  const tried = new Set([...CHANGES, ...SCHEMAS].map(([rule]) => rule));
  expect([REMOVED, ...RULES.map(({ name }) => name)].filter((name) => !tried.has(name))).toEqual([]);
});

test("a status that is gone is named once, and with it the error codes it had", () => {
  const document = openapi();
  delete bars(document).responses["429"];
  delete bars(document).responses["200"];
  expect(breaksOf(openApiSurface(openapi()), openApiSurface(document))).toEqual([
    "POST /v1/bars: status removed: 200",
    "POST /v1/bars: status removed: 429",
    "POST /v1/bars: error code removed: 429 rate_limited",
    "POST /v1/bars: error code removed: 429 quota_exceeded",
  ]);
});

test("values of an open list may be added to a response", () => {
  const open = (...values) => openApiSurface(openapi({ answered: { type: "string", "x-extensible-enum": values } }));
  expect(breaksOf(open("a"), open("a", "b"))).toEqual([]);
});

test("breaks inside lists, tables and parts of a whole are found, with their place", () => {
  const nested = (schema) => ({
    type: "array",
    items: { allOf: [object({ feeds: { type: "object", additionalProperties: schema } }), object({ other: TEXT })] },
  });
  const surface = (schema) => openApiSurface(openapi({ answered: nested(schema) }));
  expect(breaksOf(surface(TEXT), surface({ type: "integer" }))).toEqual([
    "POST /v1/bars, 200.open[].feeds.*: response type changed: integer",
  ]);
});
