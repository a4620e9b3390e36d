/**
 * The bounds that were decided, each with where it is set and the test that proves it. Whoever moves one of these changes a promise to
 * callers or operators: the row has to be changed too, and the documents that name the bound.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");

type Place = readonly [file: string, text: string];

const LISTEN = "packages/process/src/http/listen.ts";
const STREAM = "packages/contract/src/stream.ts";
const LIMITS = "packages/services/src/access/limits.ts";
const AUTHENTICATE = "packages/services/src/access/authenticate.ts";
const LIVENESS = "apps/stream/src/behaviour/liveness.test.ts";
const WEBSOCKET = "apps/stream/src/behaviour/websocket.test.ts";
const SSE = "apps/stream/src/behaviour/sse.test.ts";
const MCP = "apps/api/src/mcp/mcp.test.ts";

const BOUNDS: readonly (readonly [bound: string, setting: Place, proof: Place])[] = [
  // Connections, on every port.
  [
    "headers of 8 KiB",
    [LISTEN, "MAX_HEADER_BYTES = 8 * 1024;"],
    ["packages/process/src/http/listen.test.ts", "refuses headers over 8 KiB, few or many"],
  ],
  [
    "10 s for headers",
    [LISTEN, "HEADERS_TIMEOUT_MS = 10_000;"],
    ["apps/api/src/behaviour/sockets.test.ts", "that come too slowly are cut off"],
  ],
  [
    "30 s without progress, of a client that does not read its answer",
    ["packages/process/src/http/stalled.ts", "STALLED_LOOKS = 30;"],
    ["packages/process/src/http/stalled.test.ts", "whose client reads nothing is cut after thirty seconds, and not before"],
  ],
  [
    "one look a second at whether a client reads",
    ["packages/process/src/http/stalled.ts", "LOOK_EVERY_MS = 1_000;"],
    [
      "packages/process/src/http/stalled.test.ts",
      "whose client reads slowly is left alone as long as it reads something every thirty seconds",
    ],
  ],
  [
    "75 s without anything to read or write",
    [LISTEN, "SILENT_MS = 75_000;"],
    ["packages/process/src/http/late.test.ts", "a connection that stays silent is closed without an answer"],
  ],
  [
    "512 KiB dropped of a body that is left unread",
    ["packages/process/src/http/pipeline.ts", "MAX_DROPPED_BYTES = 512 * 1024;"],
    ["packages/process/src/http/pipeline.test.ts", "is dropped up to a bound, behind which the sender waits"],
  ],
  [
    "32 unanswered requests a connection",
    ["packages/config/src/settings.ts", '"MAX_PIPELINED", wholeNumber(1, 1_000, "requests"), 32)'],
    [
      "packages/process/src/http/pipeline.test.ts",
      "answers as many requests as may be pipelined, drops the others of the same read, and closes",
    ],
  ],
  [
    "bodies of 64 KiB",
    ["packages/contract/src/route.ts", "MAX_BODY_BYTES = 64 * 1_024;"],
    ["apps/api/src/behaviour/sockets.test.ts", "by one byte is too large; one of exactly 64 KiB is read"],
  ],
  // Limits.
  [
    "60 light requests a minute and address",
    [LIMITS, "LIGHT_PER_MINUTE = 60;"],
    [
      "apps/api/src/behaviour/badge-and-embed.test.ts",
      "are sixty requests a minute to an address, whatever they show and whatever key is sent",
    ],
  ],
  [
    "20 bad keys a minute and address",
    [LIMITS, "BAD_KEYS_PER_MINUTE = 20;"],
    [
      "apps/api/src/behaviour/limits.test.ts",
      "have their own bucket, 20 a minute and address, and lock out neither neighbours nor good keys",
    ],
  ],
  [
    "20 keys an organisation",
    ["packages/contract/src/routes/account.ts", "MAX_LIVE_KEYS = 20;"],
    ["apps/api/src/behaviour/account.test.ts", "includes keys in grace: another key is 409, and a retry still reads its answer"],
  ],
  [
    "24 h of grace",
    ["packages/services/src/access/key-lifecycle.ts", "GRACE_MS = 24 * 3_600_000;"],
    [
      "apps/api/src/behaviour/account.test.ts",
      "lets the old key authenticate until the very end of its grace, and lists it until then",
    ],
  ],
  [
    "5 s until a revoked key is refused everywhere",
    [AUTHENTICATE, "FRESH_MS = 5_000;"],
    [
      "packages/services/src/access/authenticate.test.ts",
      "that is deleted by another process ends within five seconds, and at once when the event arrives",
    ],
  ],
  [
    "15 minutes that a key works while the database does not respond",
    ["packages/config/src/settings.ts", '"KEY_GRACE", wholeNumber(0, 1_440, "minutes"), 15)'],
    [
      "packages/services/src/access/authenticate.test.ts",
      "keys seen within their grace authenticate, counted from when they were last seen",
    ],
  ],
  [
    "24 h that a retry is answered the same",
    ["packages/db/src/accounts/idempotency.ts", "IDEMPOTENCY_TTL_MS = 24 * 3_600_000;"],
    ["packages/db/src/accounts/new-keys.test.ts", "forgets an answer after 24 hours"],
  ],
  [
    "1 h of a download link",
    ["packages/archives/src/signed-link.ts", "LINK_TTL_MS = 3_600_000;"],
    ["packages/archives/src/signed-link.test.ts", "leads to its archive for an hour and no longer"],
  ],
  [
    "15 minutes of delay",
    ["packages/contract/src/tiers.ts", "DELAY_MS = 15 * 60_000;"],
    ["apps/api/src/behaviour/keyless.test.ts", "without a key is that of the tier %s on every route, at any millisecond"],
  ],
  // Batches and agents.
  [
    "10 calls a batch of tRPC",
    ["apps/api/src/trpc/trpc-request.ts", "MAX_BATCH = 10;"],
    ["apps/api/src/behaviour/trpc-bounds.test.ts", "a request that names more than ten procedures"],
  ],
  [
    "10 messages a batch of MCP",
    ["apps/api/src/mcp/mcp-door.ts", "MAX_BATCH = 10;"],
    [MCP, "a batch is answered message by message, each counted, and holds ten at most"],
  ],
  [
    "60 s of an exchange of MCP",
    ["apps/api/src/mcp/agent-server.ts", "MAX_EXCHANGE_MS = 60_000;"],
    [
      "apps/api/src/mcp/agent-server.test.ts",
      "an exchange that a tool never answers ends after 60 seconds, and its call is aborted",
    ],
  ],
  // Streams.
  ["frames of 4 KiB", [STREAM, "maxFrameBytes: 4_096,"], [WEBSOCKET, "a frame of exactly 4 KiB is accepted"]],
  [
    "20 frames in a window",
    [STREAM, "maxFrames: 20,"],
    [WEBSOCKET, "twenty within ten seconds are accepted, the next is one too many"],
  ],
  ["10 s of that window", [STREAM, "frameWindowMs: 10_000,"], [WEBSOCKET, "pings of the protocol count as well"]],
  ["10 s until the key", [STREAM, "authWithinMs: 10_000,"], [LIVENESS, "before it has sent a key is refused with 4408"]],
  [
    "a heartbeat every 15 s",
    [STREAM, "heartbeatMs: 15_000,"],
    [LIVENESS, "is announced by heartbeats, with the newest numbers and whether the market trades"],
  ],
  ["a ping every 20 s", [STREAM, "pingMs: 20_000,"], [LIVENESS, "is not confused with one that answers"]],
  [
    "10 s until its pong",
    [STREAM, "pongWithinMs: 10_000,"],
    [LIVENESS, "is dropped when its pong does not come, and its place freed"],
  ],
  [
    "30 s that a slow consumer may be behind",
    [STREAM, "maxLagMs: 30_000,"],
    [
      LIVENESS,
      "is closed after its time, even if nothing more is published, gains none by a byte now and then, and gets the reason",
    ],
  ],
  [
    "1 MiB buffered for one",
    [STREAM, "maxBufferBytes: 1_048_576,"],
    [LIVENESS, "with more queued than the limit is closed at once"],
  ],
  [
    "5 minutes that can be resumed",
    [STREAM, "ringMs: 300_000,"],
    ["apps/stream/src/behaviour/resume.test.ts", "within five minutes gets exactly what it missed"],
  ],
  [
    "5 s until the streams of a revoked key close",
    [STREAM, "revokedWithinMs: 5_000,"],
    [WEBSOCKET, "closes its sessions within five seconds when no event announces it"],
  ],
  [
    "30 minutes of an SSE connection",
    [STREAM, "sseLifetimeMs: 1_800_000,"],
    [SSE, "ends cleanly after 30 minutes and a tenth at most, frees its place, and is resumed without a loss"],
  ],
  [
    "a tenth more or less of them",
    [STREAM, "sseLifetimeJitter: 0.1,"],
    [SSE, "is not ended before 27 minutes, and WebSocket sessions are not ended for their age"],
  ],
  // Alerts.
  [
    "10 s for a receiver's answer",
    ["apps/writer/src/alerts/receiver.ts", "ANSWER_TIMEOUT_MS = 10 * SECOND_MS;"],
    [
      "apps/writer/src/alerts/receiver.test.ts",
      "that sends its body a byte at a time has answered by its head, and is let go in time",
    ],
  ],
  [
    "8 KiB read of it",
    ["apps/writer/src/alerts/receiver.ts", "MAX_ANSWER_BYTES = 8_192;"],
    ["apps/writer/src/alerts/receiver.test.ts", "that answers with megabytes is cut off after a few kilobytes"],
  ],
  [
    "two deliveries at once an endpoint",
    ["apps/writer/src/alerts/delivery-desk.ts", "MOST_PER_ENDPOINT = 2;"],
    [
      "apps/writer/src/alerts/delivery-desk.test.ts",
      "to an endpoint that hangs, with a long queue, hold up no other, and are two at a time",
    ],
  ],
  [
    "a week of failures of an endpoint",
    ["apps/writer/src/alerts/attempts.ts", "GIVE_UP_AFTER_MS = 7 * DAY_MS;"],
    ["apps/writer/src/alerts/attempts.test.ts", "that fails after a week of failures disables the endpoint, and not before"],
  ],
  [
    "30 days of deliveries",
    ["packages/db/src/records/maintenance.ts", "DELIVERIES_RETAINED_MS = 30 * DAY_MS;"],
    ["packages/db/src/alerts/alerts.test.ts", "are kept for 30 days, and so are alerts and endpoints that were deleted"],
  ],
  [
    "5 minutes that a signed event is accepted",
    ["packages/contract/src/webhooks.ts", "WEBHOOK_TOLERANCE_MS = 5 * 60_000;"],
    [
      "packages/sdk/src/webhooks/webhooks.test.ts",
      "until five minutes after it was signed, and from five minutes before, not a millisecond longer",
    ],
  ],
];

test.each(BOUNDS)("%s: set and proven where this list says", (_, [file, setting], [suite, title]) => {
  expect(readFileSync(join(ROOT, file), "utf8"), file).toContain(setting);
  expect(readFileSync(join(ROOT, suite), "utf8"), suite).toContain(`("${title}"`);
});
