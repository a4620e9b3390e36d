import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { getSpot, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { AssayError } from "./errors.ts";
import { VERSION } from "./version.ts";

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
