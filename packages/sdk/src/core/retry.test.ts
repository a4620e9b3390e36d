import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type TestClock, testClock } from "../testing/clock.ts";
import { createQuotes, getSpot, mintKey, revokeKey, SPOT } from "../testing/operations.ts";
import { type Reply, serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import { LONGEST_WAIT_MS } from "./rate-limit.ts";
import { waitBefore } from "./send.ts";

const NO_CLASSES = { byCode: {}, byStatus: {} };
const clientOf = (baseUrl: string, around: TestClock = testClock()): Client =>
  new Client({ baseUrl, apiKey: "k", logLevel: "off" }, NO_CLASSES, around);

const error = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { error: code, message: "Refused." },
});

test.each([408, 429, 500, 502, 503, 504])("a %i is retried until it succeeds", async (status) => {
  const around = testClock();
  const { url, asked } = await serve((_, index) => (index < 2 ? error(status, "any") : { body: SPOT }));
  expect((await clientOf(url, around).call(getSpot, { symbol: "XAU" })).symbol).toBe("XAU");
  expect(asked.map(({ headers }) => headers["x-assay-retry-count"])).toEqual([undefined, "1", "2"]);
  expect(around.waits).toEqual([250, 500]);
});

test("a connection that breaks is retried", async () => {
  const { url, asked } = await serve((_, index, response) => {
    if (index > 0) return { body: SPOT };
    response.destroy();
    return undefined;
  });
  await clientOf(url).call(getSpot, { symbol: "XAU" });
  expect(asked).toHaveLength(2);
});

test("a service that cannot be reached gives a connection error that names it, after the retries", async () => {
  const around = testClock();
  const call = clientOf("http://127.0.0.1:1", around).call(getSpot, { symbol: "XAU" });
  await expect(call).rejects.toThrow(ConnectionError);
  await expect(call).rejects.toThrow(/^No answer: GET http:\/\/127\.0\.0\.1:1\/v1\/spot\/XAU: /);
  expect(around.waits).toHaveLength(2);
});

test("with the default address, a connection error names the setting that changes it", async () => {
  const fetch = async (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
  const failed = (baseUrl?: string) =>
    new Client({ baseUrl, apiKey: null, fetch, maxRetries: 0 }).call(getSpot, { symbol: "XAU" }).catch(String);
  vi.stubEnv("ASSAY_BASE_URL", "");
  expect(await failed()).toMatch(
    /spot\/XAU: fetch failed\. This is the default address; set baseUrl or ASSAY_BASE_URL to use another$/,
  );
  expect(await failed("http://127.0.0.1:8081")).toMatch(/fetch failed$/);
  vi.stubEnv("ASSAY_BASE_URL", "http://assay.test");
  expect(await failed()).toMatch(/fetch failed$/);
  vi.unstubAllEnvs();
});

test.each([
  [400, "invalid_symbol", {}],
  [401, "invalid_api_key", {}],
  [403, "plan_gated", {}],
  [404, "not_found", {}],
  [422, "validation_error", {}],
  [429, "quota_exceeded", { "retry-after": "1" }],
  [429, "quota_exceeded", { "x-should-retry": "true" }],
  [503, "service_unavailable", { "x-should-retry": "false" }],
])("a %i %s with %j is not retried", async (status, code, headers) => {
  const { url, asked } = await serve(() => error(status, code, headers));
  await expect(clientOf(url).call(getSpot, { symbol: "XAU" })).rejects.toMatchObject({ status, code });
  expect(asked).toHaveLength(1);
});

test("X-Should-Retry: true causes a refusal to be retried", async () => {
  const { url, asked } = await serve((_, index) =>
    index === 0 ? error(409, "busy", { "x-should-retry": "true" }) : { body: SPOT },
  );
  await clientOf(url).call(getSpot, { symbol: "XAU" });
  expect(asked).toHaveLength(2);
});

test("Retry-After is obeyed, in seconds or until a date", async () => {
  const around = testClock();
  const waits = ["7", "Fri, 20 Nov 2026 12:00:30 GMT"];
  const { url } = await serve((_, index) =>
    index < 2 ? error(429, "rate_limited", { "retry-after": waits[index] ?? "" }) : { body: SPOT },
  );
  await clientOf(url, around).call(getSpot, { symbol: "XAU" });
  expect(around.waits).toEqual([7_350, 31_500]); // with half of the jitter
});

test("a Retry-After is never cut short, and exceeded by less than a tenth", () => {
  const asking = (seconds: number): ApiError =>
    new ApiError({
      status: 429,
      code: "rate_limited",
      message: "",
      requestId: null,
      body: null,
      headers: new Headers(),
      retryAfterSeconds: seconds,
    });
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LONGEST_WAIT_MS / 1000 }), chance, (seconds, random) => {
      const waitMs = waitBefore(asking(seconds), 1, random) ?? Number.NaN;
      expect(waitMs).toBeGreaterThanOrEqual(seconds * 1000);
      expect(waitMs).toBeLessThanOrEqual(seconds * 1100);
      if (random > 0.01) expect(waitMs).toBeGreaterThan(seconds * 1000);
    }),
  );
});

test("a wait long enough to look like a hang is logged at the default level, a short one is not", async () => {
  const warnings: string[] = [];
  const ignore = (): void => {};
  const logger = { debug: ignore, info: ignore, error: ignore, warn: (line: string) => warnings.push(line) };
  const waits = ["9", "10"];
  const { url } = await serve((_, index) =>
    index < 2 ? error(429, "rate_limited", { "retry-after": waits[index] ?? "" }) : { body: SPOT },
  );
  await new Client({ baseUrl: url, apiKey: null, logger }, NO_CLASSES, testClock()).call(getSpot, { symbol: "XAU" });
  expect(warnings).toEqual(["Trying again in 10500 ms (2 of 2) after: 429 rate_limited: Refused. (GET /v1/spot/XAU)"]);
});

test("a wait past the bound gives the error at once", async () => {
  const around = testClock();
  const { url, asked } = await serve(() => error(429, "rate_limited", { "retry-after": String(LONGEST_WAIT_MS / 1000 + 1) }));
  await expect(clientOf(url, around).call(getSpot, { symbol: "XAU" })).rejects.toMatchObject({ retryAfter: 61 });
  expect([asked.length, around.waits]).toEqual([1, []]);
});

test("the number of retries is the client's, or the call's", async () => {
  const { url, asked } = await serve(() => error(503, "service_unavailable"));
  await expect(clientOf(url).call(getSpot, { symbol: "XAU" }, { maxRetries: 0 })).rejects.toThrow(ApiError);
  expect(asked).toHaveLength(1);
  await expect(clientOf(url).call(getSpot, { symbol: "XAU" }, { maxRetries: 4 })).rejects.toThrow(ApiError);
  expect(asked).toHaveLength(6);
  await expect(clientOf(url).call(getSpot, { symbol: "XAU" }, { maxRetries: -1 })).rejects.toThrow(RangeError);
});

test("minting a key sends one Idempotency-Key over all attempts, and another one the next time", async () => {
  const { url, asked } = await serve((_, index) =>
    index < 2 ? error(503, "service_unavailable") : { status: 201, body: { plaintext: "p" } },
  );
  const client = clientOf(url);
  await client.call(mintKey, { name: "ci" });
  await client.call(mintKey);
  await client.call(mintKey, {}, { idempotencyKey: "mine" });
  await client.call(mintKey, {}, { headers: { "Idempotency-Key": "also mine" } });
  expect(asked.map(({ headers }) => headers["idempotency-key"])).toEqual(["id-1", "id-1", "id-1", "id-2", "mine", "also mine"]);
  expect(asked.slice(0, 3).map(({ body, headers }) => [body, headers["content-type"]])).toEqual(
    Array(3).fill(['{"name":"ci"}', "application/json"]),
  );
});

test("a POST that only computes is retried without an Idempotency-Key", async () => {
  const { url, asked } = await serve((_, index) =>
    index === 0 ? error(503, "spot_unavailable") : { body: { currency: "EUR" } },
  );
  await clientOf(url).call(createQuotes, { currency: "EUR", items: [] });
  expect(asked.map(({ method, headers }) => [method, headers["idempotency-key"]])).toEqual(Array(2).fill(["POST", undefined]));
});

test("revoking a key is retried", async () => {
  const { url, asked } = await serve((_, index) => (index === 0 ? error(503, "auth_unavailable") : { status: 204 }));
  await clientOf(url).call(revokeKey, { keyId: "k-1" });
  expect(asked.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
});

test("failed attempts leave the connection usable, however long their answers are", async () => {
  const { url, connections } = await serve((_, index) =>
    index < 5 ? { status: 503, body: "x".repeat(30_000) } : { body: SPOT },
  );
  await clientOf(url).call(getSpot, { symbol: "XAU" }, { maxRetries: 5 });
  expect(connections()).toBeLessThanOrEqual(2); // the runtime may open a second before the first is free again
});

test("only the beginning of an endless error is read", async () => {
  const { url } = await serve((_, __, response) => {
    response.writeHead(500);
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", pour);
    pour();
    return undefined;
  });
  const call = clientOf(url).call(getSpot, { symbol: "XAU" }, { maxRetries: 0 });
  await expect(call).rejects.toMatchObject({ status: 500 });
});

test("backoff has full jitter below a ceiling that doubles up to eight seconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
      const ceilingMs = Math.min(8_000, 500 * 2 ** (failures - 1));
      expect(waitBefore(new ConnectionError("x"), failures, random)).toBeCloseTo(ceilingMs * random);
    }),
  );
});
