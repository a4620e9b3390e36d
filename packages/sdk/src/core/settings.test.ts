import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { Assay } from "../generated/assay.ts";
import { Assay as StreamAssay } from "../stream/index.ts";
import { getSpot, listBars, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { AssayError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";
import { listPages } from "./pages/list-pages.ts";
import { VERSION } from "./runtime.ts";

afterEach(() => vi.unstubAllGlobals());

test("the service learns truthfully which client is calling", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  await new Client({ baseUrl: url, apiKey: null }).call(getSpot, { symbol: "XAU" });
  expect(asked[0]?.headers).toMatchObject({
    "user-agent": `assay-sdk/${VERSION} node/${process.versions.node}`,
    accept: "application/json",
  });
});

test("the version sent is the package's", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toMatchObject({ name: "@assay/sdk", version: VERSION });
});

test("a browser is refused unless it is allowed, and names itself", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  vi.stubGlobal("window", {});
  expect(() => new Client({ apiKey: null })).not.toThrow(); // a worker has no document
  vi.stubGlobal("document", {});
  expect(() => new Client({ apiKey: null })).toThrow(AssayError);
  await new Client({ baseUrl: url, apiKey: null, dangerouslyAllowBrowser: true }).call(getSpot, { symbol: "XAU" });
  expect(asked[0]?.headers["user-agent"]).not.toContain("assay");
});

test.each([
  [{ api_key: "assay_live_secret" }, /^api_key is not an option; use apiKey, baseUrl, /],
  [{ baseURL: "http://127.0.0.1:9" }, /^baseURL is not an option; /],
  [{ timeout: 5_000 }, /^timeout is not an option; /],
  [{ toString: null }, /^toString is not an option; /],
])("an option that there is not is refused by name: a misspelled key would be an anonymous call", (given: object, message) => {
  for (const make of [() => new Client(given), () => new Client({ apiKey: null }).withOptions(given)]) {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  }
});

test.each<[object | string, typeof TypeError | typeof RangeError, string]>([
  ["assay_live_secret", TypeError, "0 is not an option; use apiKey, baseUrl, "],
  [{ logLevel: "verbose" }, TypeError, "logLevel must be one of off, error, warn, info, debug"],
  [{ cache: 1_000 }, RangeError, "maxAgeMs must be 0 milliseconds or more"],
  [{ cache: { maxAge: 1_000 } }, RangeError, "maxAgeMs must be 0 milliseconds or more"],
  [{ cache: { maxAgeMs: 1, maxEntries: Number.NaN } }, RangeError, "maxEntries must be a whole number, 0 or more"],
  [{ maxRetries: "2" }, RangeError, "maxRetries must be a whole number, 0 or more"],
  [{ maxConcurrent: 0 }, RangeError, "maxConcurrent must be a whole number, 1 or more"],
])("%j is refused: ignored, it would be another client", (given, Fault, message) => {
  const make = () => new Client(given as ClientOptions); // as from JavaScript
  expect(make).toThrow(Fault);
  expect(make).toThrow(message);
  expect(make).not.toThrow("secret");
});

test.each<[object, string]>([
  [{ timeout: 1_000 }, "timeout is not an option; use signal, timeoutMs, "],
  [{ toString: null }, "toString is not an option"],
  [{ signal: new AbortController() }, "signal must be an AbortSignal, such as controller.signal"],
  [{ signal: 5 }, "signal must be an AbortSignal"],
])("of a call %o is refused by name, and nothing is sent", async (given, message) => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const client = new Client({ baseUrl: url, apiKey: null });
  for (const call of [
    client.call(getSpot, { symbol: "XAU" }, given),
    listPages(client, listBars, {}, given),
    client.get("/v1", given),
  ]) {
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(message);
  }
  expect(asked).toEqual([]);
});

test("headers of the client and of the call are sent, the later win, null takes one away", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const client = new Client({ baseUrl: url, apiKey: null, defaultHeaders: { "X-Team": "a", "X-Other": "b" } });
  await client.call(
    getSpot,
    { symbol: "XAU" },
    { headers: { "x-team": "c", "X-OTHER": null, "X-Request-Id": "r-1", "X-None": undefined } },
  );
  await client.call(getSpot, { symbol: "XAU" });
  expect(asked.map(({ headers }) => [headers["x-team"], headers["x-other"], headers["x-request-id"], headers["x-none"]])).toEqual(
    [
      ["c", undefined, "r-1", undefined],
      ["a", "b", undefined, undefined],
    ],
  );
});

test("a base URL may have a path and a slash at its end", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const client = new Client({ baseUrl: `${url}/metals/`, apiKey: null });
  await client.call(getSpot, { symbol: "XAU" });
  expect([client.baseUrl, asked[0]?.url]).toEqual([`${url}/metals`, "/metals/v1/spot/XAU"]);
});

test.each([
  ["example.com", "absolute"],
  ["ftp://example.com", "http or https"],
  ["http://user:secret@example.com", "user name or password"],
  ["http://example.com/?key=secret", "query"],
  ["http://example.com/#a", "fragment"],
  ["", "absolute"],
  ["http://example.com/v1", "must end before /v1"],
  ["http://example.com/metals/v1/", "must end before /v1"],
])("a base URL of %j is refused without being printed", (baseUrl, words) => {
  expect(() => new Client({ baseUrl, apiKey: null })).toThrow(words);
  expect(() => new Client({ baseUrl, apiKey: null })).not.toThrow("secret");
});

test("the runtime's fetch is looked up at each call, and a given one is called bare", async () => {
  const answer = (): Response => Response.json(SPOT);
  const client = new Client({ apiKey: null });
  vi.stubGlobal("fetch", async () => answer());
  expect((await client.call(getSpot, { symbol: "XAU" })).symbol).toBe("XAU");
  async function strict(this: unknown): Promise<Response> {
    expect(this).toBeUndefined(); // Workers refuse to run it as a method
    return answer();
  }
  expect((await new Client({ apiKey: null, fetch: strict }).call(getSpot, { symbol: "XAU" })).symbol).toBe("XAU");
});

test("a level lets through what is at it or above", async () => {
  const { url } = await serve(() => ({ body: SPOT }));
  const lines: string[] = [];
  const note = (line: string): void => {
    lines.push(line);
  };
  const logger = { debug: note, info: note, warn: note, error: note };
  for (const logLevel of ["off", "warn", "info", "debug"] as const) {
    await new Client({ baseUrl: url, apiKey: null, logger, logLevel }).call(getSpot, { symbol: "XAU" });
  }
  expect(lines).toEqual([expect.stringMatching(/^GET http:.*\/v1\/spot\/XAU: 200 in \d+ ms$/)]);
});

test("a deprecated operation warns once per process, through the console by default", async () => {
  const { url } = await serve(() => ({ body: SPOT }));
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const old = { ...getSpot, name: "prices.told_once", deprecated: { successor: "bars.list" } };
  await new Client({ baseUrl: url, apiKey: null }).call(old, { symbol: "XAU" });
  await new Client({ baseUrl: url, apiKey: null }).call(old, { symbol: "XAU" });
  expect(warn.mock.calls).toEqual([["prices.told_once is deprecated; use bars.list"]]);
  warn.mockRestore();
});

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";

test("withOptions makes another client of the same kind, which differs only in those options", async () => {
  const { url, asked } = await serve((_, index) => (index < 2 ? { status: 503 } : { body: SPOT }));
  const assay = new StreamAssay({ baseUrl: url, apiKey: KEY, maxRetries: 0, logLevel: "off" });
  const other = assay.withOptions({ apiKey: "other", defaultHeaders: { "x-team": "desk" } });
  expect(other).toBeInstanceOf(StreamAssay);
  expect([other === assay, other.baseUrl, typeof other.stream.subscribe]).toEqual([false, url, "function"]);
  await expect(other.spot.get("gold")).rejects.toMatchObject({ status: 503 });
  await expect(assay.spot.get("gold")).rejects.toMatchObject({ status: 503 });
  expect(asked.map(({ headers }) => [headers.authorization, headers["x-team"]])).toEqual([
    ["Bearer other", "desk"],
    [`Bearer ${KEY}`, undefined],
  ]);
  expect(() => assay.withOptions({ timeoutMs: 0 })).toThrow(RangeError);
});

test("fetchOptions are passed with every request, and override nothing of the call itself", async () => {
  const inits: RequestInit[] = [];
  const fetch: typeof globalThis.fetch = async (_, init = {}) => {
    inits.push(init);
    return Response.json({ ...SPOT, quote_currency: "USD", unit: "troy_ounce", contract_type: "spot", is_stale: false });
  };
  const dispatcher = {};
  const fetchOptions = { dispatcher, method: "PUT", redirect: "follow", headers: { authorization: "stolen" } };
  await new Assay({ baseUrl: "http://assay.test", apiKey: KEY, fetch, fetchOptions }).spot.get("gold");
  expect(inits[0]).toMatchObject({ dispatcher, method: "GET", redirect: "manual", headers: { authorization: `Bearer ${KEY}` } });
});
