/** Hooks, for metrics and traces. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { getSpot, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import type { ClientOptions, Logger } from "./options.ts";

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";
const flaky = () =>
  serve((_, index) => (index === 0 ? { status: 503, headers: { "retry-after": "0" } } : { body: SPOT, headers: { "x-a": "b" } }));

test("are called around every attempt, and never see the key", async () => {
  const { url } = await flaky();
  const seen: object[] = [];
  const client = new Client({
    baseUrl: url,
    apiKey: KEY,
    logLevel: "off",
    onRequest: (attempt) => seen.push({ on: "request", ...attempt }),
    onResponse: ({ headers, elapsedMs, ...answer }) =>
      seen.push({ on: "response", ...answer, header: headers.get("x-a"), isTimed: elapsedMs >= 0 }),
    onRetry: ({ error, ...failed }) => seen.push({ on: "retry", ...failed, error: String(error) }),
  });
  await client.call(getSpot, { symbol: KEY });
  const attempt = { method: "GET", url: `${url}/v1/spot/[key]` };
  expect(seen).toEqual([
    { on: "request", ...attempt, attempt: 1 },
    { on: "response", ...attempt, attempt: 1, status: 503, header: null, isTimed: true },
    { on: "retry", ...attempt, attempt: 1, delayMs: 0, error: expect.stringContaining("503") },
    { on: "request", ...attempt, attempt: 2 },
    { on: "response", ...attempt, attempt: 2, status: 200, header: "b", isTimed: true },
  ]);
  expect(inspect(seen)).not.toContain(KEY);
});

test("and loggers that throw change nothing of a call", async () => {
  const { url } = await flaky();
  const warnings: string[] = [];
  const boom = (): never => {
    throw new Error("boom %d");
  };
  const hooks: ClientOptions = { onRequest: boom, onResponse: boom, onRetry: boom };
  const logger: Logger = { debug: boom, info: boom, warn: (line) => void warnings.push(line), error: boom };
  const client = new Client({ baseUrl: url, apiKey: null, logger, logLevel: "debug", ...hooks });
  expect((await client.call(getSpot, { symbol: "100%d" })).symbol).toBe("XAU");
  expect(warnings).toEqual(Array(5).fill("A hook failed: boom %d"));
});
