import { expect, test } from "vitest";
import { type Bar, getSpot, listBars, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { Http5xxError } from "./errors.ts";

const options = { apiKey: null, maxRetries: 0, logLevel: "off" } as const;
const HEADERS = { "x-request-id": "r-1" };

test("asResponse gives the head while the body is still arriving, unread", async () => {
  let finish = (): void => {};
  const { url } = await serve((_, __, response) => {
    response.writeHead(200, { "content-type": "application/json", ...HEADERS });
    response.write('{"symbol":');
    finish = () => response.end('"XAU"}');
    return undefined;
  });
  const response = await new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }).asResponse();
  expect([response.status, response.headers.get("x-request-id"), response.bodyUsed]).toEqual([200, "r-1", false]);
  finish();
  expect(await response.json()).toEqual({ symbol: "XAU" });
});

test("a signal aborts a body that was left unread, and no timeout does", async () => {
  const { url } = await serve((_, __, response) => {
    response.writeHead(200).write("{");
    return undefined;
  });
  const controller = new AbortController();
  const client = new Client({ ...options, baseUrl: url, timeoutMs: 5_000 });
  const response = await client.call(getSpot, { symbol: "XAU" }, { signal: controller.signal }).asResponse();
  const text = response.text();
  controller.abort(new Error("enough"));
  await expect(text).rejects.toThrow();
});

test("a refusal is the error of the call, also for asResponse", async () => {
  const { url } = await serve(() => ({ status: 502, body: "Bad Gateway" }));
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" });
  await expect(call.asResponse()).rejects.toBeInstanceOf(Http5xxError);
});

test.each([
  ["after the data", {}, true],
  ["with a cache", { cache: { maxAgeMs: 1_000 } }, false],
  ["with requests shared", { singleFlight: true }, false],
])("asResponse %s gives a new response with the same head and body", async (_, more, awaits) => {
  const { url, asked } = await serve(() => ({ body: SPOT, headers: HEADERS }));
  const call = new Client({ ...options, baseUrl: url, ...more }).call(getSpot, { symbol: "XAU" });
  if (awaits) await call;
  for (const response of [await call.asResponse(), await call.asResponse()]) {
    expect([response.headers.get("x-request-id"), await response.json()]).toEqual(["r-1", SPOT]);
  }
  expect((await call).symbol).toBe("XAU");
  expect(asked).toHaveLength(1);
});

test("asResponse of a list is its first page", async () => {
  const { url } = await serve(() => ({ body: { bars: [], next_cursor: null } }));
  const list = new Client({ ...options, baseUrl: url }).page<unknown, unknown, Bar, unknown>(listBars, {});
  expect(await (await list.asResponse()).json()).toEqual({ bars: [], next_cursor: null });
});

test("data of a body left to the caller is refused with the reason", async () => {
  const { url } = await serve(() => ({ body: SPOT }));
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" });
  await (await call.asResponse()).text();
  await expect(call).rejects.toThrow("The body was left unread for asResponse()");
});
