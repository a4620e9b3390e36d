import { inspect } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { testClock } from "../testing/clock.ts";
import { getSpot, mintKey, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import type { Logger } from "./options.ts";

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";
const NO_CLASSES = { byCode: {}, byStatus: {} };

afterEach(() => vi.unstubAllEnvs());

const recorder = (): Logger & { readonly lines: string[] } => {
  const lines: string[] = [];
  const note = (line: string): void => {
    lines.push(line);
  };
  return { lines, debug: note, info: note, warn: note, error: note };
};

test("the key goes out as a bearer, and appears nowhere in the client", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const client = new Client({ baseUrl: url, apiKey: KEY });
  await client.call(getSpot, { symbol: "XAU" });
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const shown = [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client), JSON.stringify(Object.entries(client))];
  expect(shown.join()).not.toContain("4fGh2");
});

test("whatever is answered, neither errors nor the log of any level contain the key", async () => {
  const logger = recorder();
  const page = `<h1>Bad gateway</h1><pre>Authorization: Bearer ${KEY}</pre>`;
  const replies = [
    { status: 502, body: page },
    { status: 400, body: { error: "bad_request", message: KEY, seen: KEY } },
    { body: page },
  ];
  const { url } = await serve((_, index) => replies[index]);
  const client = new Client({ baseUrl: url, apiKey: KEY, logger, logLevel: "debug", maxRetries: 0 }, NO_CLASSES, testClock());
  for (const _ of replies) {
    const error = await client.call(getSpot, { symbol: "XAU" }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
  }
  const failing = () => Promise.reject(new TypeError(`cannot send Bearer ${KEY}`));
  const unsent = new Client({ apiKey: KEY, fetch: failing, logger, logLevel: "debug", maxRetries: 1 }, NO_CLASSES, testClock());
  const error = await unsent.call(mintKey).catch((fault: unknown) => fault);
  expect(String(error)).toContain("cannot send Bearer [key]");
  expect(inspect(error, { depth: 9 })).not.toContain(KEY);
  expect(logger.lines.length).toBeGreaterThan(3);
  expect(logger.lines.join()).not.toContain(KEY);
});

test("a key given as a parameter is in no error of a time limit or a signal, and in no line of the log", async () => {
  const { url, asked } = await serve((_, index) => (index === 0 ? { body: SPOT } : undefined));
  for (const singleFlight of [false, true]) {
    asked.length = 0;
    const logger = recorder();
    const client = new Client({ baseUrl: url, apiKey: KEY, logger, logLevel: "debug", singleFlight, maxRetries: 0 });
    const stop = new AbortController();
    if (!singleFlight) await client.call(getSpot, { symbol: KEY }, { extraQuery: { key: KEY } });
    const late = await client.call(getSpot, { symbol: KEY }, { timeoutMs: 1 }).catch(String);
    const call = client.call(getSpot, { symbol: KEY }, { signal: stop.signal }).catch(String);
    stop.abort();
    const refused = await client.call(getSpot, { symbol: KEY }, { signal: stop.signal }).catch(String);
    expect([late, await call, refused]).toEqual([
      expect.stringMatching(/^RequestTimeoutError: .*\/v1\/spot\/\[key\]/),
      expect.stringMatching(/^RequestAbortedError: .*\/v1\/spot\/\[key\]/),
      expect.stringMatching(/^RequestAbortedError/),
    ]);
    expect(logger.lines.join()).not.toContain(KEY);
  }
});

test.each([307, 302, 301, 308])("a %i is not followed, so the key goes to no other place", async (status) => {
  const other = await serve(() => ({ body: SPOT }));
  const { url } = await serve(() => ({ status, headers: { location: `${other.url}/v1/spot/XAU` } }));
  const call = new Client({ baseUrl: url, apiKey: KEY }).call(getSpot, { symbol: "XAU" });
  await expect(call).rejects.toThrow(`${status}: a redirect to ${other.url}, which is not followed`);
  expect(other.asked).toEqual([]);
});

test.each(["secret key", "secret\n", "secret\u0000", "sécret", "secret\u{1f511}"])(
  "a key that does not fit a header (%j) is refused without being printed",
  (apiKey) => {
    expect(() => new Client({ apiKey })).toThrow(/^apiKey contains characters that are not allowed in a header/);
    expect(() => new Client({ apiKey })).not.toThrow("secret");
  },
);

test("an empty key is refused rather than calling without one", () => {
  expect(() => new Client({ apiKey: "" })).toThrow("apiKey is empty; pass null to call without a key");
});

test("the key and the address come from the environment, null overrules it", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  vi.stubEnv("ASSAY_API_KEY", KEY);
  vi.stubEnv("ASSAY_BASE_URL", url);
  await new Client().call(getSpot, { symbol: "XAU" });
  await new Client({ apiKey: null }).call(getSpot, { symbol: "XAU" });
  vi.stubEnv("ASSAY_API_KEY", "");
  await new Client().call(getSpot, { symbol: "XAU" });
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, undefined, undefined]);
});

test("a header that cannot be sent is refused by its name only", async () => {
  expect(() => new Client({ defaultHeaders: { "X-API-Key": `${KEY}\n` } })).toThrow("the header X-API-Key contains characters");
  const client = new Client({ apiKey: null });
  const call = client.call(getSpot, { symbol: "XAU" }, { headers: { "X-API-Key": `${KEY}\n` } });
  await expect(call).rejects.toThrow(new TypeError("the header X-API-Key contains characters that are not allowed in a header"));
  await expect(client.call(getSpot, { symbol: "XAU" }, { headers: { "bad name": "a" } })).rejects.toThrow(
    '"bad name" is not a valid header name',
  );
});
