import { type AssayContract, contract, DAY_MS, type Route, startOfUtcDay } from "@assay/contract";
import { KEYLESS, requestPath } from "@assay/contract-test/requests";
import { FRIDAY_MS, makeBar, makeBars, makeDealerTick, makeRates, makeSettlement, makeSurfaces, makeTick } from "@assay/testkit";
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alertSamples } from "../testing/alert-samples.ts";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";
import type { AppRouter } from "./router.ts";

const TODAY_MS = startOfUtcDay(FRIDAY_MS);
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000 }), makeTick(2)],
    fx: [makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }), makeRates()],
    bars: [...makeBars("1d", TODAY_MS - DAY_MS, 20), makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false })],
    settlements: [makeSettlement()],
  });
  await app.publishDealers(makeDealerTick(1));
  await app.publishSurfaces(makeSurfaces());
});
afterAll(() => app.close());

const clientOf = (key?: string, options: { batch?: boolean; from?: string; headers?: Record<string, string> } = {}) => {
  const link = options.batch ? httpBatchLink : httpLink;
  const headers = {
    "X-Forwarded-For": options.from ?? freshAddress(),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
    ...options.headers,
  };
  return createTRPCClient<AppRouter>({ links: [link({ url: `${app.url}/trpc`, headers })] });
};

const wireOf = async (call: Promise<unknown>) => {
  try {
    await call;
  } catch (error) {
    if (error instanceof TRPCClientError)
      return error.data as { wire?: Record<string, unknown>; httpStatus: number; stack?: string };
    throw error;
  }
  throw new Error("the call was let through");
};

/** A successful request of each route, in REST's form. */
const SAMPLES: Record<string, Record<string, string | number>> = {
  "prices.list": { symbol: "XAU-EUR-SPOT", include: "all" },
  "prices.divergence": { threshold: 5 },
  "prices.history": { symbol: "XAU", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  "spot.get": { symbol: "gold" },
  "bars.list": { symbol: "XAU/USD", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  "bars.latest": { symbol: "XAU" },
  "series.list": { symbol: "XAU-EUR-SPOT", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  "sources.list": { window: "30d" },
  "quality.list": { symbol: "XAU/USD", from: "2026-11-18", to: "2026-11-20" },
  "ratios.list": { pair: "gold-silver", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  "ratios.latest": { pair: "gold-silver" },
  "settlements.list": { symbol: "GC", limit: 3 },
  "forwardView.get": { asset: "XAU" },
  "convert.get": { from: "XAU", to: "EUR", amount: "2.5" },
  "carat.get": { currency: "EUR" },
  "physical.get": { country: "AE" },
  "surface.get": { metal: "xau", horizon: "2026-12-18" },
  "surface.expiries": { metal: "xau" },
  "signals.arbitrage": { metal: "xau" },
};

const GET_ROUTES = Object.entries(contract).flatMap(([resource, routes]) =>
  Object.entries<Route>(routes)
    // A redirect over REST is a body over tRPC; the download suite covers both.
    .filter(([, route]) => route.method === "GET" && route.success.status === 200)
    .map(([action, route]) => ({ name: `${resource}.${action}`, route })),
);

/** The sample of a route; an alert is of the caller's own. */
const sampleOf = async (name: string, orgId: string): Promise<Record<string, unknown>> => {
  const made = alertSamples(app, () => orgId)[name];
  return made ? made(KEYLESS) : (SAMPLES[name] ?? {});
};

describe("every query", () => {
  test.each(GET_ROUTES)("$name answers over tRPC what REST answers", async ({ name, route }) => {
    const { key, orgId } = await app.key("realtime_pro");
    const input = await sampleOf(name, orgId);
    // That the key was used is stored within a second: before both answers, and not between them.
    const keys = () => app.ask("/v1/account/keys", { key });
    if (name === "account.listKeys") await expect.poll(async () => (await keys()).json[0].last_used_at).not.toBeNull();
    const rest = await app.ask(requestPath(route, input), { key });
    expect(rest.status, rest.text).toBe(200);
    const { status, json, text } = await app.ask(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, { key });
    expect(status).toBe(200);
    expect(json.result.data).toEqual(rest.json);
    expect(text).toBe(`{"result":{"data":${JSON.stringify(json.result.data)}}}`);
  });

  test("reads routes without parameters from the market of now when no input is sent", async () => {
    const { key } = await app.key("pro");
    const usage = (await app.ask("/trpc/account.usage", { key })).json.result.data;
    expect(usage.tier).toBe("pro");
    expect(usage).toEqual((await app.ask("/v1/account/usage", { key })).json);
  });
});

describe("the typed client", () => {
  test("queries and mutates like REST", async () => {
    const own = await app.key("pro");
    const client = clientOf(own.key);
    const row = await client.spot.get.query({ symbol: "gold" });
    expect(row.price).toBe("4003.20");
    const minted = await client.account.mintKey.mutate({ name: "trpc" });
    expect(minted.plaintext).toMatch(/^assay_live_/);
    expect(await clientOf(minted.plaintext).account.listKeys.query({})).toHaveLength(2);
    expect(await clientOf(minted.plaintext).account.revokeKey.mutate({ key_id: own.keyId })).toBeUndefined();
    expect((await wireOf(client.account.usage.query({}))).wire).toMatchObject({ error: "invalid_api_key" });
  });

  test.each([
    ["one at a time", httpLink],
    ["in batches", httpBatchLink],
  ])("may send its queries by POST, %s", async (_, link) => {
    const { key } = await app.key("pro");
    const headers = { Authorization: `Bearer ${key}`, "X-Forwarded-For": freshAddress() };
    const client = createTRPCClient<AppRouter>({
      links: [link({ url: `${app.url}/trpc`, headers, methodOverride: "POST" })],
    });
    const [row, conversion, usage] = await Promise.all([
      client.spot.get.query({ symbol: "XAU-EUR-SPOT", include: "karat" }),
      client.convert.get.query({ from: "XAU", to: "EUR", amount: "2.5" }),
      client.account.usage.query({}),
    ]);
    expect(row).toEqual((await app.ask("/v1/spot/XAU-EUR-SPOT?include=karat", { key })).json);
    expect(conversion).toEqual((await app.ask("/v1/convert?from=XAU&to=EUR&amount=2.5", { key })).json);
    expect(usage.tier).toBe("pro");
    const { wire } = await wireOf(client.spot.get.query({ symbol: "garbage" }));
    expect(wire).toMatchObject({ error: "invalid_symbol" });
  });

  test("passes the Idempotency-Key on", async () => {
    const { key } = await app.key("pro");
    const mint = () => clientOf(key, { headers: { "Idempotency-Key": "trpc-retry" } }).account.mintKey.mutate({ name: "ci" });
    expect(await mint()).toEqual(await mint());
  });
});

describe("a refusal", () => {
  test("carries the same body REST answers under data.wire, and the status", async () => {
    const { key } = await app.key("free");
    const cases = [
      ["/v1/spot/XAG", () => clientOf(key).spot.get.query({ symbol: "XAG" })],
      ["/v1/spot/garbage", () => clientOf(key).spot.get.query({ symbol: "garbage" })],
      ["/v1/spot/XAU-ABC-SPOT", () => clientOf(key).spot.get.query({ symbol: "XAU-ABC-SPOT" })],
      [
        "/v1/bars?symbol=XAU&from=2020-01-01&to=2020-02-01",
        () => clientOf(key).bars.list.query({ symbol: "XAU", from: "2020-01-01", to: "2020-02-01" }),
      ],
      ["/v1/convert?from=XAU&to=USD&amount=0", () => clientOf(key).convert.get.query({ from: "XAU", to: "USD", amount: "0" })],
    ] as const;
    for (const [path, call] of cases) {
      const rest = await app.ask(path, { key });
      const { wire, httpStatus, stack } = await wireOf(call());
      expect({ ...wire, request_id: "" }, path).toEqual({ ...rest.json, request_id: "" });
      expect(httpStatus).toBe(rest.status);
      expect(stack).toBeUndefined();
    }
  });

  // A probe of health may carry anything.
  const judged = GET_ROUTES.filter(({ name }) => name !== "system.health");
  test.each(judged)("of $name names the fields of the input it does not have", async ({ name }) => {
    const { key, orgId } = await app.key("realtime_pro");
    const sample = await sampleOf(name, orgId);
    const ask = (input: Record<string, unknown>) =>
      app.ask(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify({ ...sample, ...input }))}`, { key });
    const { status, json } = await ask({ no_such: 1 });
    expect(status).toBe(422);
    expect(json.error.data.wire.issues).toMatchObject([{ path: ["input", "no_such"], code: "unrecognized_parameter" }]);
    expect((await ask({ _no_such: 1 })).status).toBe(200);
  });

  test.each([
    ["a plain query", "/trpc/carat.get?currency=EUR", undefined, "currency", "unrecognized_parameter"],
    [
      "a query beside the input",
      '/trpc/carat.get?input={"currency":"EUR"}&format=text',
      undefined,
      "format",
      "unrecognized_parameter",
    ],
    ["an input in the query of a POST", '/trpc/carat.get?input={"currency":"EUR"}', {}, "input", "unrecognized_parameter"],
    ["two inputs", "/trpc/carat.get?input={}&input={}", undefined, "input", "repeated"],
  ])("of %s names what the call would be made without", async (_, path, body, name, code) => {
    const { status, json } = await app.ask(path, body === undefined ? {} : { method: "POST", body });
    expect(status).toBe(422);
    expect(json.error.data.wire.issues).toMatchObject([{ path: ["query", name], code }]);
    expect((await app.ask("/trpc/carat.get?_=1764061200")).status).toBe(200);
  });

  test("of a change names the fields of the input it does not have, and changes nothing", async () => {
    const { key } = await app.key("pro");
    // @ts-expect-error an unknown field
    const { wire } = await wireOf(clientOf(key).account.mintKey.mutate({ name: "ci", tier: "realtime_pro" }));
    expect(wire).toMatchObject({ error: "validation_error", issues: [{ path: ["input", "tier"] }] });
    expect(await clientOf(key).account.listKeys.query({})).toHaveLength(1);
  });

  test("of the input names what is wrong with it", async () => {
    const { key } = await app.key("free");
    const input = { symbol: "XAU", from: "2026-11-01", to: "2026-11-20" };
    // @ts-expect-error a limit as text
    const { wire, httpStatus } = await wireOf(clientOf(key).bars.list.query({ ...input, limit: "ten" }));
    expect(httpStatus).toBe(422);
    expect(wire).toMatchObject({ error: "validation_error", issues: [{ path: ["input", "limit"] }] });
    const late = await wireOf(clientOf(key).bars.list.query({ ...input, from: "yesterday" }));
    expect(late.wire).toMatchObject({ error: "validation_error", issues: [{ path: ["input", "from"], code: "invalid_value" }] });
  });

  test("is not stored, and has no CORS header", async () => {
    const { headers } = await app.ask("/trpc/account.usage");
    expect(headers.get("cache-control")).toBe("no-store");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("batches", () => {
  const batch = (count: number, path = "carat.get") =>
    `/trpc/${Array(count).fill(path).join(",")}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, {}]))))}`;

  test("have each answer in its place, also when they are streamed", async () => {
    const { key } = await app.key("pro");
    const asked = ["gold", "XAU-EUR-SPOT", "silver"];
    const rest = await Promise.all(asked.map(async (symbol) => (await app.ask(`/v1/spot/${symbol}`, { key })).json));
    const client = clientOf(key, { batch: true });
    expect(await Promise.all(asked.map((symbol) => client.spot.get.query({ symbol })))).toEqual(rest);
    const headers = { "X-Forwarded-For": freshAddress(), Authorization: `Bearer ${key}` };
    const streamed = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: `${app.url}/trpc`, headers })] });
    expect(await Promise.all(asked.map((symbol) => streamed.spot.get.query({ symbol })))).toEqual(rest);
  });

  test("count every call against the limits", async () => {
    const from = freshAddress();
    expect((await app.ask(batch(10), { from })).status).toBe(200);
    const { status, json } = await app.ask("/trpc/carat.get", { from });
    expect(status).toBe(429);
    expect(json.error.data.wire).toMatchObject({ error: "rate_limit_exceeded", limit: 10, window: "minute" });
    expect((await app.ask("/v1/carat", { from })).status, "it is REST's window").toBe(429);
    const { key } = await app.key("pro");
    await app.ask(batch(7), { key });
    expect((await app.ask("/v1/account/usage", { key })).json.calls_this_month).toBe(7);
  });
});

describe("anything that is not a call", () => {
  test.each([
    ["/trpc/nothing", 404],
    ["/trpc/spot", 404],
    ["/trpc/spot.get.more", 404],
    ["/trpc/constructor.name", 404],
    ["/trpc/__proto__", 404],
    ["/trpc/spot.get?input=%7Bbroken", 400],
    ["/trpc/account.mintKey", 405],
  ])("%s is %i, and reveals nothing internal", async (path, expected) => {
    const { key } = await app.key("pro");
    const { status, text, json } = await app.ask(path, { key });
    expect(status).toBe(expected);
    expect(text).not.toMatch(/node_modules|"stack"|\.[jt]s:\d+/);
    expect(json.error.message).not.toBe("Internal Server Error");
  });

  test("a PUT is refused, of a query and of a change", async () => {
    for (const name of ["spot.get", "account.mintKey"])
      expect((await app.ask(`/trpc/${name}`, { method: "PUT", body: { symbol: "gold" } })).status).toBe(405);
  });
});

test("every route of the contract has its procedure", () => {
  const client = clientOf();
  // The proxy accepts any name; the type check is what matters here.
  const queries: { [G in keyof AssayContract]: Record<keyof AssayContract[G], unknown> } = client;
  expect(queries).toBeDefined();
});
