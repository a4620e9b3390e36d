/** MCP over a real socket, with the official client in both eras of the protocol. */
import { contract, DAY_MS, type Route, startOfUtcDay } from "@assay/contract";
import { requestBody, requestPath } from "@assay/contract-test/requests";
import { FRIDAY_MS, makeBar, makeBars, makeDealerTick, makeRates, makeSettlement, makeSurfaces, makeTick } from "@assay/testkit";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AgentOptions, connectAgent, ERAS, refusalOf } from "../testing/agent.ts";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";
import { toolRoutes } from "./tools.ts";

const TODAY_MS = startOfUtcDay(FRIDAY_MS);
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000 }), makeTick(2)],
    fx: [makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }), makeRates()],
    bars: [
      ...makeBars("1d", TODAY_MS - DAY_MS, 150),
      ...makeBars("1d", TODAY_MS - DAY_MS, 20, { symbol: "XAG-USD-SPOT", close: "48.25" }),
      makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false }),
    ],
    settlements: [makeSettlement()],
  });
  await app.publishDealers(makeDealerTick(1));
  await app.publishSurfaces(makeSurfaces());
});
afterAll(() => app.close());

const agent = async (options?: AgentOptions): Promise<Client> => {
  const client = await connectAgent(app.url, options);
  onTestFinished(() => client.close());
  return client;
};

/** A question for each tool. */
const QUESTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  get_spot_price: { symbol: "XAU-EUR-SPOT", include: "all" },
  convert: { from: "XAU", to: "EUR", amount: "2.5" },
  get_karat_prices: { currency: "EUR" },
  list_bars: { symbol: "XAU/USD", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  list_price_series: { symbol: "XAU/EUR", unit: "gram", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  get_source_record: { window: "30d" },
  list_ratios: { pair: "gold-silver", from: "2026-11-10", to: "2026-11-20", limit: 3 },
  list_settlements: { symbol: "GC", limit: 3 },
  get_forward_view: { asset: "XAU" },
  get_dealer_prices: { country: "AE" },
  get_price_probabilities: { metal: "xau", horizon: "2026-12-18" },
  get_service_status: {},
  list_alerts: {},
  quote_items: { currency: "EUR", items: [{ id: "a", metal: "XAU", weight: "4.25", unit: "gram", karat: 18 }, { weight: 1 }] },
};
const TOOLS = toolRoutes(contract);

const askRest = (route: Route, input: Record<string, unknown>, key?: string) => {
  const body = requestBody(route, input);
  return app.ask(requestPath(route, input), { key, method: route.method, ...(body === null ? {} : { rawBody: body }) });
};

describe.each(ERAS)("an agent of %s", (era) => {
  let client: Client;
  let key: string;
  beforeAll(async () => {
    ({ key } = await app.key("realtime_pro"));
    client = await connectAgent(app.url, { era, key });
  });
  afterAll(() => client.close());

  test("finds every tool of the contract, each read-only, with the parameters of its route", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ tool }) => tool.name));
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      const { route, tool } = TOOLS.find((each) => each.tool.name === name) ?? {};
      const own = Object.keys(route?.input.shape ?? {});
      const hasSummary = tool?.rows ?? tool?.healthy;
      const expected = hasSummary ? [...own.filter((parameter) => parameter !== "order"), "detail"] : own;
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(expected);
      expect(outputSchema).toBeUndefined();
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(description).toContain(tool?.description);
    }
  });

  test("pays little for the list of tools", async () => {
    expect(Buffer.byteLength(JSON.stringify(await client.listTools()))).toBeLessThanOrEqual(12_000);
  });

  test.each(TOOLS.map(({ tool, route }) => ({ name: tool.name, route })))(
    "is answered by $name field for field what REST answers",
    async ({ name, route }) => {
      const question = QUESTIONS[name];
      if (!question) throw new Error(`no question for ${name}`);
      const rest = await askRest(route, question, key);
      expect(rest.status, rest.text).toBe(200);
      const answer = await client.callTool({ name, arguments: question });
      expect(answer.isError).toBeUndefined();
      expect(answer.structuredContent).toEqual(rest.json);
      expect(answer.content).toEqual([{ type: "text", text: rest.text }]);
    },
  );

  test("reads the guides, the error pages and the overview under the addresses they are served at", async () => {
    const { resources } = await client.listResources();
    const samples = ["llms.txt", "guides", "guides/limits", "errors/plan_gated"];
    const some = resources.filter(({ name }) => samples.includes(name));
    expect(some).toHaveLength(samples.length);
    for (const { uri, mimeType } of some) {
      const { contents } = await client.readResource({ uri });
      const served = await fetch(uri);
      expect(contents).toEqual([{ uri, mimeType, text: await served.text() }]);
      expect(served.headers.get("content-type")).toContain(mimeType);
    }
  });

  test("is refused tools and resources that do not exist", async () => {
    await expect(client.readResource({ uri: `${app.url}/docs/guides/none.md` })).rejects.toThrow(/not found/i);
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/not found/i);
    await expect(client.callTool({ name: "mint_key", arguments: {} })).rejects.toThrow("There is no such tool.");
  });
});

describe("the key", () => {
  const call = async (key: string | undefined, name = "get_spot_price", args: Record<string, unknown> = { symbol: "XAU" }) =>
    (await agent({ key })).callTool({ name, arguments: args });

  test.each(["free", "basic"] as const)("of tier %s is refused with the tier that includes agents", async (tier) => {
    const { key } = await app.key(tier);
    expect(refusalOf(await call(key))).toMatchObject({ error: "plan_gated", tier, required_tier: "physical" });
    expect((await app.ask("/v1/spot/XAU", { key })).status).toBe(200);
  });

  test("of a tier with agents is accepted, and the route's own tier is checked first", async () => {
    const { key } = await app.key("physical");
    expect((await call(key)).structuredContent).toMatchObject({ symbol: "XAU", is_stale: false });
    const ratios = { pair: "gold-silver", from: "2026-11-10", to: "2026-11-20" };
    expect(refusalOf(await call(key, "list_ratios", ratios))).toMatchObject({ error: "plan_gated", required_tier: "pro" });
    const { key: free } = await app.key("free");
    expect(refusalOf(await call(free, "list_ratios", ratios))).toMatchObject({ error: "plan_gated", required_tier: "pro" });
  });

  test("is not needed where REST needs none, and prices are then delayed", async () => {
    const late = (await call(undefined)).structuredContent;
    expect(late).toEqual((await app.ask("/v1/spot/XAU")).json);
    const { key } = await app.key("pro");
    expect(late).not.toEqual((await call(key)).structuredContent);
    expect(refusalOf(await call(undefined, "list_settlements", { symbol: "GC" }))).toMatchObject({ error: "unauthenticated" });
  });

  test("is refused with REST's message when it is not valid", async () => {
    const { error, message } = (await app.ask("/v1/spot/XAU", { key: "no-such-key" })).json;
    expect(refusalOf(await call("no-such-key"))).toMatchObject({ error, message });
  });

  test("in the address is refused, as it would be ignored", async () => {
    const { key } = await app.key("pro");
    const question = { name: "get_spot_price", arguments: { symbol: "XAU" } };
    const client = await agent({ query: `?api_key=${key}` });
    expect(refusalOf(await client.callTool(question))).toMatchObject({
      error: "invalid_api_key",
      message: expect.stringContaining("Authorization: Bearer"),
    });
    expect((await (await agent({ query: "?trace=1" })).callTool(question)).isError).toBeUndefined();
  });
});

describe("an answer", () => {
  test("names every invalid argument, under its request's id", async () => {
    const client = await agent({ headers: { "X-Request-Id": "my-own" } });
    const refusal = refusalOf(await client.callTool({ name: "list_bars", arguments: { interval: "3d", limit: 0 } }));
    expect(refusal).toMatchObject({ error: "validation_error", request_id: "my-own" });
    const issues = refusal["issues"] as { path: string[] }[]; // the body of validation_error
    expect(issues.map(({ path }) => path.join("."))).toEqual([
      "arguments.symbol",
      "arguments.interval",
      "arguments.from",
      "arguments.to",
      "arguments.limit",
    ]);
  });

  test.each(TOOLS.map(({ tool }) => tool.name))("names the arguments %s does not have", async (name) => {
    const client = await agent({ key: (await app.key("realtime_pro")).key });
    const refusal = refusalOf(await client.callTool({ name, arguments: { ...QUESTIONS[name], no_such: "EUR" } }));
    expect(refusal).toMatchObject({
      error: "validation_error",
      issues: [{ path: ["arguments", "no_such"], code: "unrecognized_parameter" }],
    });
  });

  test("says how to ask for what an argument meant", async () => {
    const client = await agent();
    const refusal = refusalOf(await client.callTool({ name: "get_spot_price", arguments: { symbol: "XAU", currency: "EUR" } }));
    expect(refusal).toMatchObject({ issues: [{ message: expect.stringContaining("XAU-EUR-SPOT") }] });
  });

  test("to what a verb refuses names the argument", async () => {
    const client = await agent();
    const window = { symbol: "XAU", from: "yesterday", to: "2026-11-20" };
    const { content } = await client.callTool({ name: "list_bars", arguments: window });
    expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "")).toMatchObject({
      issues: [{ path: ["arguments", "from"], code: "invalid_value" }],
    });
  });

  test("to an amount is the same for a number and for text", async () => {
    const client = await agent();
    const of = async (amount: unknown) =>
      (await client.callTool({ name: "convert", arguments: { from: "XAU", to: "USD", amount } })).structuredContent;
    expect(await of(2.5)).toEqual(await of("2.5"));
    expect(await of(1e-7)).toMatchObject({ amount: "0.0000001" });
  });

  test("to an amount as a number of more digits than a float keeps asks for text", async () => {
    const client = await agent();
    const of = async (amount: unknown) => client.callTool({ name: "convert", arguments: { from: "XAU", to: "USD", amount } });
    for (const amount of ["12345678901234567890", "1234567.1234567891", "0.30000000000000004"].map(Number)) {
      const { isError, content } = await of(amount);
      expect(isError, String(amount)).toBe(true);
      expect(content).toMatchObject([{ text: expect.stringContaining("must be a string") }]);
    }
    for (const amount of [123_456_789.012_345, 1e20, 0.000_001]) expect((await of(amount)).isError, String(amount)).toBeFalsy();
    expect((await of("1234567.1234567891")).structuredContent).toMatchObject({ amount: "1234567.1234567891" });
  });

  test("is given to what models write for what they leave out, and to a whole number as text", async () => {
    const { key } = await app.key("realtime_pro");
    const client = await agent({ key });
    const window = { symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20" };
    const asked = { ...window, interval: null, limit: "2", cursor: "", known_at: null };
    const { structuredContent } = await client.callTool({ name: "list_bars", arguments: asked });
    expect(structuredContent).toEqual(
      (await app.ask(`/v1/bars?${new URLSearchParams({ ...window, limit: "2" })}`, { key })).json,
    );
    const answers = await Promise.all(
      [null, { name: "get_service_status", arguments: null }].map((params) =>
        post(JSON.stringify({ ...rpc(params ? "tools/call" : "tools/list"), params })),
      ),
    );
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      expect.objectContaining({ result: expect.objectContaining({ tools: expect.anything() }) }),
      expect.objectContaining({ result: expect.objectContaining({ structuredContent: expect.anything() }) }),
    ]);
  });

  test("of a list has a hundred rows at most, and says what is left out", async () => {
    const { key } = await app.key("pro");
    const client = await agent({ key });
    const window = { symbol: "XAU", from: "2026-01-01", to: "2026-11-20" };
    const long = await client.callTool({ name: "list_bars", arguments: { ...window, limit: 1_000, detail: "rows" } });
    const { truncated, ...page } = long.structuredContent as Record<string, unknown>; // an object
    expect(page).toEqual((await app.ask("/v1/bars", { query: { ...window, limit: 100 }, key })).json);
    expect(truncated).toBe("bars has the first 100 rows of at most 1000; narrow the window, or pass next_cursor as cursor.");
    const [text] = long.content;
    expect(text?.type === "text" && JSON.parse(text.text)).toEqual(long.structuredContent);
  });

  test("of a long list sums up all of it, unless its rows are asked for", async () => {
    const { key } = await app.key("pro");
    const client = await agent({ key });
    const of = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: "list_bars", arguments: { symbol: "XAU", to: "2026-11-20", ...args } })).structuredContent;
    const query = { symbol: "XAU", from: "2026-01-01", to: "2026-11-20", limit: 10_000 };
    const { bars } = (await app.ask("/v1/bars", { query, key })).json;
    expect(await of({ from: query.from })).toMatchObject({
      symbol: "XAU-USD-SPOT",
      summary: { count: bars.length, first: bars.at(-1), last: bars[0] },
    });
    expect(await of({ from: query.from, limit: 60 })).toMatchObject({
      summary: { count: 60, last: bars[0] },
      truncated: "The summary is of the newest 60 rows; narrow the window.",
    });
    expect(await of({ from: "2026-11-10", detail: "summary" })).toMatchObject({ summary: { count: 11 } });
    for (const more of [{ from: "2026-11-10" }, { from: query.from, limit: 50 }]) expect(await of(more)).toHaveProperty("bars");
    const refusal = refusalOf(await client.callTool({ name: "list_bars", arguments: { ...query, detail: "all" } }));
    expect(refusal).toMatchObject({ issues: [{ path: ["arguments", "detail"] }] });
  });

  test("of the status names what needs attention, when only a summary is asked for", async () => {
    const { key } = await app.key("pro");
    const client = await agent({ key });
    const whole = (await client.callTool({ name: "get_service_status" })).structuredContent as Record<string, object>;
    const { structuredContent } = await client.callTool({ name: "get_service_status", arguments: { detail: "summary" } });
    const stale = Object.entries(whole["value_staleness"] ?? {}).filter(([, row]) => row.is_stale);
    const all = Object.keys(whole["value_staleness"] ?? {}).length;
    expect(structuredContent).toMatchObject({
      status: whole["status"],
      value_staleness: Object.fromEntries(stale),
      healthy: { value_staleness: all - stale.length },
    });
    const { value_staleness: named } = structuredContent as Record<string, object>;
    expect(Object.keys(named ?? {})).toHaveLength(stale.length);
  });

  test("is an error when a tool has no data: the route's refusal", async () => {
    const { key } = await app.key("pro");
    const client = await agent({ key });
    const answer = await client.callTool({ name: "get_dealer_prices", arguments: { country: "XX" } });
    expect(refusalOf(answer)).toMatchObject({ error: "not_found" });
  });
});

describe("an unexpected error", () => {
  test("is reported without detail; the detail is in the log under the request's id", async () => {
    const client = await agent({ headers: { "X-Request-Id": "find-me" } });
    const { tickAt } = app.service.market;
    app.service.market.tickAt = () => {
      throw new RangeError("a secret");
    };
    app.log.length = 0;
    const failed = await client.callTool({ name: "get_karat_prices", arguments: {} }).catch((error: unknown) => error);
    app.service.market.tickAt = tickAt;
    expect(failed).toBeInstanceOf(Error);
    expect(String(failed)).toContain("Internal Server Error");
    expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain("secret");
    expect(app.log).toMatchObject([{ level: "error", fields: { requestId: "find-me", err: { message: "a secret" } } }]);
  });
});

describe("counting", () => {
  test("meters calls like REST, but not listing or the status", async () => {
    const { key } = await app.key("pro");
    const client = await agent({ key });
    const used = async () => (await app.ask("/v1/account/usage", { key })).json.calls_today;
    await client.listTools();
    await client.listResources();
    await client.callTool({ name: "get_service_status", arguments: {} });
    expect(await used()).toBe(0);
    await client.callTool({ name: "get_spot_price", arguments: { symbol: "XAU" } });
    expect(await used()).toBe(1);
    await client.callTool({ name: "get_spot_price", arguments: { symbol: "garbage" } });
    expect(await used()).toBe(1);
  });

  test("holds keyless callers to the limit of their address, over REST and MCP together", async () => {
    const from = freshAddress();
    const client = await agent({ from });
    const { perMinute } = app.catalog.keyless;
    for (let asked = 1; asked < perMinute; asked += 1) await app.ask("/v1/spot/XAU", { from });
    const call = () => client.callTool({ name: "get_spot_price", arguments: { symbol: "XAU" } });
    expect((await call()).isError).toBeUndefined();
    expect(refusalOf(await call())).toMatchObject({ error: "rate_limit_exceeded", limit: perMinute });
  });
});

const rpc = (method: string, params: Record<string, unknown> = {}, id: number | string | undefined = 1) => ({
  jsonrpc: "2.0",
  ...(id === undefined ? {} : { id }),
  method,
  params,
});
const ACCEPTED = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const post = (body: string, headers: Record<string, string> = {}, from = freshAddress()) =>
  fetch(`${app.url}/mcp`, { method: "POST", body, headers: { ...ACCEPTED, "X-Forwarded-For": from, ...headers } });

describe("over HTTP", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("%s is not a method", async (method) => {
    const response = await fetch(`${app.url}/mcp`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });

  test("every answer has its request's id, is not stored, and has no CORS header", async () => {
    for (const body of [JSON.stringify(rpc("tools/list")), "{", JSON.stringify(rpc("no/such"))]) {
      const { headers } = await post(body, { "X-Request-Id": "mine" });
      expect(headers.get("x-request-id")).toBe("mine");
      expect(headers.get("cache-control")).toBe("no-store");
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.get("mcp-session-id")).toBeNull();
    }
  });

  test("a call reports the windows it was counted against", async () => {
    const { key } = await app.key("pro");
    const call = rpc("tools/call", { name: "get_spot_price", arguments: { symbol: "XAU" } });
    const { headers } = await post(JSON.stringify(call), { Authorization: `Bearer ${key}` });
    expect(headers.get("x-ratelimit-limit")).toBe(String(app.catalog.tiers.pro.rate_limit_per_minute));
  });

  test.each([
    ["no body", ""],
    ["half an object", '{"jsonrpc":'],
    ["text", "tools/list"],
  ])("%s is answered as a parse error", async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_700 } });
  });

  test.each(["null", "7", '"tools/list"', "{}", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', "[]"])(
    "%s is not a request",
    async (body) => {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
    },
  );

  test("a body over 64 KiB is refused, with or without a Content-Length", async () => {
    const long = JSON.stringify(rpc("tools/list", { padding: "x".repeat(65_536) }));
    expect((await post(long)).status).toBe(413);
    const body = new Blob([long]).stream();
    const streamed = await fetch(`${app.url}/mcp`, { method: "POST", body, duplex: "half", headers: ACCEPTED } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await streamed.json()).toMatchObject({ error: "payload_too_large" });
  });

  test("another media type is refused", async () => {
    expect((await post(JSON.stringify(rpc("tools/list")), { "Content-Type": "text/plain" })).status).toBe(415);
  });

  test("a batch is answered message by message, each counted, and holds ten at most", async () => {
    const call = (id: number) => rpc("tools/call", { name: "get_spot_price", arguments: { symbol: "XAU" } }, id);
    const from = freshAddress();
    const response = await post(JSON.stringify([call(1), rpc("tools/list", {}, 2), call(3)]), {}, from);
    const answers = (await response.json()) as { id: number }[]; // of a batch
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    const { headers } = await app.ask("/v1/spot/XAU", { from });
    expect(headers.get("x-ratelimit-remaining")).toBe(String(app.catalog.keyless.perMinute - 3));
    const long = await post(JSON.stringify(Array.from({ length: 11 }, (_, id) => call(id))));
    expect(long.status).toBe(400);
    expect(await long.json()).toMatchObject({ error: { message: "A batch may contain at most 10 messages." } });
  });

  test("a cancelled request of a batch is answered as cancelled, and the others as usual", async () => {
    const call = (id: number | string) => rpc("tools/call", { name: "get_spot_price", arguments: { symbol: "XAU" } }, id);
    const cancel = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    const cancelled = (id: number | string) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32_800, message: "The request was cancelled." },
    });
    const answersTo = async (batch: unknown[]): Promise<unknown> => {
      const headers = { ...ACCEPTED, "X-Forwarded-For": freshAddress() };
      const init = { method: "POST", body: JSON.stringify(batch), headers, signal: AbortSignal.timeout(5_000) };
      return (await fetch(`${app.url}/mcp`, init)).json();
    };
    expect(await answersTo([call(1), cancel(1)])).toEqual(cancelled(1));
    expect(await answersTo([cancel("a"), call("a"), rpc("tools/list", {}, "b"), cancel("b")])).toEqual([
      cancelled("a"),
      cancelled("b"),
    ]);
    expect(await answersTo([call(1), call(2), cancel(2), cancel(3), cancel("1"), cancel(null)])).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ structuredContent: expect.anything() }) }),
      cancelled(2),
    ]);
  });

  test("two requests of a batch with one id are refused", async () => {
    const response = await post(JSON.stringify([rpc("tools/list", {}, 7), rpc("tools/list", {}, 7)]));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: -32_600, message: "Every request of a batch needs its own id." },
    });
  });

  test.each(["application/json", "*/*", "text/html", ""])("a client that accepts %j is answered with JSON", async (accept) => {
    const response = await post(JSON.stringify(rpc("tools/list")), { Accept: accept });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  test("a body nested deeper than 32 levels is refused, wherever it is deep", async () => {
    const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    for (const field of ["result", "params", "error", "id", "more"]) {
      const response = await post(`{"jsonrpc":"2.0","id":1,"${field}":${deep(9_000)}}`);
      expect(response.status, field).toBe(400);
      expect(await response.text(), field).not.toMatch(/RangeError|stack/);
    }
    const calls = (levels: number) => post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":${deep(levels)}}}`);
    expect((await calls(30)).status).toBe(200);
    expect((await calls(31)).status).toBe(400);
  });

  test("a page of another site is refused, whatever name it used to reach this service", async () => {
    const list = JSON.stringify(rpc("tools/list"));
    for (const origin of ["https://example.com", "null", "http://127.0.0.1.example.com"]) {
      const response = await post(list, { Origin: origin });
      expect(response.status, origin).toBe(403);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    for (const origin of [app.url, "http://localhost:6274"]) expect((await post(list, { Origin: origin })).status).toBe(200);
  });

  test("a request that calls no tool is counted as a light request of its address", async () => {
    const from = freshAddress();
    const bodies = [JSON.stringify(rpc("tools/list")), "{", JSON.stringify(rpc("tools/call", { name: "none" }))];
    for (let sent = 0; sent < 60; sent += 1) {
      const { status } = await post(bodies[sent % bodies.length] ?? "", {}, from);
      expect(status).not.toBe(429);
    }
    const refused = await post(bodies[0] ?? "", {}, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: "rate_limit_exceeded" });
  });

  test("a call that the protocol refuses before it reaches its route is counted as light, too", async () => {
    const from = freshAddress();
    const call = JSON.stringify(rpc("tools/call", { name: "get_spot_price", arguments: { symbol: "XAU" } }));
    for (let sent = 0; sent < 60; sent += 1) {
      expect((await post(call, { "MCP-Protocol-Version": "1999-01-01" }, from)).status).toBe(400);
    }
    expect((await post(call, { "MCP-Protocol-Version": "1999-01-01" }, from)).status).toBe(429);
  });

  test("nothing can be subscribed to: no answer stays open", async () => {
    const client = await agent({ era: "2026-07-28" });
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });
});
