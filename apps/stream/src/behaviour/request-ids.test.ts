/** One id per request: the same in the header, the body, the log, and on the stream that follows. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { makeTick } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

const DRAWN = /^[\w-]{20}$/;

let app: TestStreams;
let admit: TestStreams["live"]["admissions"]["admit"];
beforeAll(async () => {
  app = await startTestStreams({ before: { ticks: [makeTick(1)] } });
  ({ admit } = app.live.admissions);
});
afterAll(() => app.close());
beforeEach(() => {
  app.store.recover();
  app.live.admissions.admit = admit;
  app.log.splice(0);
});

const logged = (field: "requestId" | "connection"): unknown[] =>
  app.log.filter(({ fields }) => field in fields).map(({ fields }) => fields[field]);

const ask = async (path: string, headers: Record<string, string>, method = "GET") => {
  const response = await fetch(`${app.url}${path}`, { method, headers });
  const text = await response.text();
  const header = response.headers.get("x-request-id");
  return { status: response.status, text, header, body: text.startsWith("{") ? JSON.parse(text).request_id : undefined };
};

describe.each([
  ["given by the caller", { "X-Request-Id": "caller-1.a_B" }, /^caller-1\.a_B$/],
  ["not given", {}, DRAWN],
  ["given badly", { "X-Request-Id": "with blanks" }, DRAWN],
])("an id %s", (_, given: Record<string, string>, form) => {
  test.each([
    ["no key", "GET", "/v1/prices/stream?symbol=gold", 401],
    ["another method", "POST", "/v1/prices/stream", 405],
    ["no upgrade", "GET", "/v1/stream", 426],
    ["another method", "POST", "/v1/stream", 405],
    ["an unknown path", "GET", "/v1/nothing", 404],
    ["another method of another path", "POST", "/v1/health", 405],
  ])("is in the header and the body of a refusal for %s: %s %s", async (_what, method, path, status) => {
    const answer = await ask(path, given, method);
    expect(answer.status).toBe(status);
    expect(answer.header).toMatch(form);
    expect(answer.body).toBe(answer.header);
  });

  test("is in the log of a key that cannot be verified", async () => {
    const { key } = await app.key("pro");
    app.store.break();
    const answer = await ask("/v1/prices/stream?symbol=gold", { ...given, Authorization: `Bearer ${key}` });
    expect(answer.status).toBe(503);
    expect(answer.header).toMatch(form);
    expect(answer.body).toBe(answer.header);
    expect(logged("requestId")).toEqual([answer.header]);
  });

  test("is in the log of a stream that could not be opened", async () => {
    const { key } = await app.key("pro");
    app.live.admissions.admit = () => {
      throw new TypeError("broken");
    };
    const answer = await ask("/v1/prices/stream?symbol=gold", { ...given, Authorization: `Bearer ${key}` });
    expect([answer.status, answer.text]).toEqual([500, "Internal Server Error"]);
    expect(answer.header).toMatch(form);
    expect(logged("requestId")).toEqual([answer.header]);
  });

  test("of an SSE stream is in the log", async () => {
    const { key, keyHash } = await app.key("pro");
    const client = await app.sse("?symbol=gold", key, given);
    await client.next("message");
    await app.live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs: app.clock() });
    await client.ended;
    expect(client.headers.get("x-request-id")).toMatch(form);
    expect(logged("connection")).toEqual([client.headers.get("x-request-id")]);
  });

  test("of a WebSocket is in its handshake, its welcome and the log", async () => {
    const { key } = await app.key("realtime_pro");
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/stream`, { headers: given });
    const handshake = once(socket, "upgrade") as Promise<[IncomingMessage]>;
    await once(socket, "open");
    const [{ headers }] = await handshake;
    socket.send(JSON.stringify({ action: "auth", api_key: key }));
    const [welcome] = await once(socket, "message");
    socket.send("{");
    await once(socket, "close");
    expect(headers["x-request-id"]).toMatch(form);
    expect(JSON.parse(String(welcome)).connection_id).toBe(headers["x-request-id"]);
    await expect.poll(() => logged("connection")).toEqual([headers["x-request-id"]]);
  });
});
