import { expect, test } from "vitest";
import { echo, getSpot, listBars, revokeKey, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { ApiPromise } from "./api-promise.ts";
import { Client } from "./client.ts";
import { ApiError, ConnectionError, Http5xxError, UnreadableAnswerError } from "./errors.ts";
import { listPages } from "./pages/list-pages.ts";
import { PublishedDecimal } from "./published-decimal.ts";

const LIMITS = {
  "x-ratelimit-limit": "60",
  "x-ratelimit-remaining": "41",
  "x-ratelimit-reset": "1795183440",
  ratelimit: '"minute";r=41;t=36, "month";r=4120;t=2644200',
  "ratelimit-policy": '"minute";q=60;w=60, "month";q=5000;w=2678400',
};

const clientOf = (baseUrl: string): Client => new Client({ baseUrl, apiKey: null, maxRetries: 0, logLevel: "off" });

test("awaiting a call gives decimals, dates and the SDK's names", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const spot = await clientOf(url).call(getSpot, { symbol: "XAU", include: ["karat"] });
  expect(spot).toEqual({ symbol: "XAU", price: new PublishedDecimal("4003.20"), computedAt: new Date(SPOT.computed_at) });
  expect(asked.map((each) => `${each.method} ${each.url}`)).toEqual(["GET /v1/spot/XAU?include=karat"]);
});

test("raw gives the wire's text of the same request", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const call = clientOf(url).call(getSpot, { symbol: "XAU" });
  expect(await call.raw()).toEqual(SPOT);
  expect((await call).price.toString()).toBe("4003.20");
  expect(await call.raw().raw()).toEqual(SPOT);
  expect(asked).toHaveLength(1);
});

test("withResponse adds the head, the request id and every window of the limits", async () => {
  const { url } = await serve(() => ({ body: SPOT, headers: { ...LIMITS, "x-request-id": "r-1" } }));
  const { data, response, requestId, rateLimit } = await clientOf(url).call(getSpot, { symbol: "XAU" }).withResponse();
  expect([data.symbol, response.status, requestId]).toEqual(["XAU", 200, "r-1"]);
  expect(rateLimit).toEqual({
    limit: 60,
    remaining: 41,
    resetAt: new Date(1_795_183_440_000),
    windows: {
      minute: { limit: 60, remaining: 41, resetsInSeconds: 36 },
      month: { limit: 5000, remaining: 4120, resetsInSeconds: 2_644_200 },
    },
  });
});

test("an answer without limits has none, and one with broken ones shows those that can be parsed", async () => {
  const { url } = await serve((_, index) => ({
    body: SPOT,
    headers: index === 0 ? {} : { ...LIMITS, ratelimit: '"minute";r=x;t=, ;;;, "hour"' },
  }));
  const client = clientOf(url);
  expect((await client.call(getSpot, { symbol: "XAU" }).withResponse()).rateLimit).toBeNull();
  expect((await client.call(getSpot, { symbol: "XAU" }).withResponse()).rateLimit?.windows).toEqual({});
});

test("then, catch, finally and the combinators treat a call as any promise", async () => {
  const { url } = await serve((_, index) =>
    index < 3 ? { body: SPOT } : { status: 404, body: { error: "not_found", message: "No." } },
  );
  const client = clientOf(url);
  const call = client.call(getSpot, { symbol: "XAU" });
  expect(call).toBeInstanceOf(Promise);
  expect(call.then((spot) => spot.symbol)).not.toBeInstanceOf(ApiPromise);
  let done = 0;
  await call.finally(() => {
    done += 1;
  });
  const all = await Promise.all([call, client.call(getSpot, { symbol: "XAU" }), client.call(getSpot, { symbol: "XAU" })]);
  expect([done, ...all.map((spot) => spot.symbol)]).toEqual([1, "XAU", "XAU", "XAU"]);
  expect(await client.call(getSpot, { symbol: "no" }).catch((error: unknown) => error)).toBeInstanceOf(ApiError);
  const [settled] = await Promise.allSettled([client.call(getSpot, { symbol: "no" })]);
  expect(settled.status).toBe("rejected");
});

test("a call that is never awaited fails silently", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  process.on("unhandledRejection", note);
  const { url } = await serve(() => ({ status: 500, body: "Internal Server Error" }));
  const client = clientOf(url);
  client.call(getSpot, { symbol: "XAU" });
  client.call(getSpot, { symbol: "XAU" }).raw();
  client.call(getSpot, { wrong: 1 });
  await client.call(getSpot, { symbol: "XAU" }).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("withResponse before await, and both at once, give the same", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const call = clientOf(url).call(getSpot, { symbol: "XAU" });
  const { data } = await call.withResponse();
  const [again, { data: third }] = await Promise.all([call, call.withResponse()]);
  expect([again, third]).toEqual([data, data]);
  expect(asked).toHaveLength(1);
});

test("the stack of an error names the functions that awaited the call or the list", async () => {
  const { url } = await serve(() => ({ status: 404, body: { error: "not_found", message: "No." } }));
  const client = clientOf(url);
  const askForPrice = async (): Promise<unknown> => (await client.call(getSpot, { symbol: "XAU" })).price;
  const askForBars = async (): Promise<unknown> => (await listPages(client, listBars, {})).bars;
  for (const ask of [askForPrice, askForBars]) {
    const error = await ask().then(
      () => null,
      (fault: unknown) => fault,
    );
    expect(error).toMatchObject({ stack: expect.stringContaining(ask.name) });
  }
});

test("a parameter that cannot be sent rejects the call, and nothing is sent", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  await expect(clientOf(url).call(getSpot, { symbol: null })).rejects.toThrow(
    new TypeError("symbol must not be null; leave it out instead"),
  );
  expect(asked).toEqual([]);
});

test("an answer without a body gives undefined where none is expected, and an error where one is", async () => {
  const { url } = await serve((asked) => ({ status: asked.method === "DELETE" ? 204 : 200 }));
  const client = clientOf(url);
  expect(await client.call(revokeKey, { keyId: "k" })).toBeUndefined();
  await expect(client.call(getSpot, { symbol: "XAU" })).rejects.toThrow(UnreadableAnswerError);
});

test.each([
  [
    "cut short",
    '{"symbol":"XAU","price":"40',
    'The answer is not complete JSON: status 200, text/plain, “{"symbol":"XAU","price":"40” (GET /v1/spot/XAU, request r-2)',
  ],
  [
    "a page",
    "<html><head><title>Sign in</title></head><body>long</body></html>",
    "The answer is not complete JSON: status 200, text/plain, “Sign in” (GET /v1/spot/XAU, request r-2)",
  ],
  ["of another service", '{"status":"up"}', /does not match the contract \(symbol: missing\)/],
  ["an empty object", "{}", /does not match the contract \(symbol: missing\)/],
  ["null", "null", /^UnreadableAnswerError: The answer holds nothing: /],
  [
    "of another form",
    '{"symbol":"XAU","price":"12,50"}',
    /does not match the contract \(price: expected plain decimal text, found "12,50"\).* \(GET \/v1\/spot\/XAU, request r-2\)$/,
  ],
])("a success that is %s is an error that says so", async (_, body, message) => {
  const { url } = await serve(() => ({ body, headers: { "x-request-id": "r-2" } }));
  const error = await clientOf(url)
    .call(getSpot, { symbol: "XAU" })
    .then(
      () => null,
      (fault: unknown) => fault,
    );
  expect(error).toBeInstanceOf(UnreadableAnswerError);
  expect(error).toMatchObject({ status: 200, code: null, requestId: "r-2" });
  expect(String(error)).toMatch(message);
});

test("a body that breaks off is a connection error", async () => {
  const { url } = await serve((_, __, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"symbol":');
    setImmediate(() => response.destroy());
    return undefined;
  });
  await expect(clientOf(url).call(echo)).rejects.toThrow(ConnectionError);
});

const HEADERS = { "x-request-id": "r-1" };

test("asResponse gives the head while the body is still arriving, unread", async () => {
  let finish = (): void => {};
  const { url } = await serve((_, __, response) => {
    response.writeHead(200, { "content-type": "application/json", ...HEADERS });
    response.write('{"symbol":');
    finish = () => response.end('"XAU"}');
    return undefined;
  });
  const response = await new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url })
    .call(getSpot, { symbol: "XAU" })
    .asResponse();
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
  const client = new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url, timeoutMs: 5_000 });
  const response = await client.call(getSpot, { symbol: "XAU" }, { signal: controller.signal }).asResponse();
  const text = response.text();
  controller.abort(new Error("enough"));
  await expect(text).rejects.toThrow();
});

test("a refusal is the error of the call, also for asResponse", async () => {
  const { url } = await serve(() => ({ status: 502, body: "Bad Gateway" }));
  const call = new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url }).call(getSpot, { symbol: "XAU" });
  await expect(call.asResponse()).rejects.toBeInstanceOf(Http5xxError);
});

test.each([
  ["after the data", {}, true],
  ["with a cache", { cache: { maxAgeMs: 1_000 } }, false],
  ["with requests shared", { singleFlight: true }, false],
])("asResponse %s gives a new response with the same head and body", async (_, more, awaits) => {
  const { url, asked } = await serve(() => ({ body: SPOT, headers: HEADERS }));
  const call = new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url, ...more }).call(getSpot, {
    symbol: "XAU",
  });
  if (awaits) await call;
  for (const response of [await call.asResponse(), await call.asResponse()]) {
    expect([response.headers.get("x-request-id"), await response.json()]).toEqual(["r-1", SPOT]);
  }
  expect((await call).symbol).toBe("XAU");
  expect(asked).toHaveLength(1);
});

test("asResponse of a list is its first page", async () => {
  const { url } = await serve(() => ({ body: { bars: [], next_cursor: null } }));
  const list = listPages(new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url }), listBars);
  expect(await (await list.asResponse()).json()).toEqual({ bars: [], next_cursor: null });
});

test("data of a body left to the caller is refused with the reason", async () => {
  const { url } = await serve(() => ({ body: SPOT }));
  const call = new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url }).call(getSpot, { symbol: "XAU" });
  await (await call.asResponse()).text();
  await expect(call).rejects.toThrow("The body was left unread for asResponse()");
});
