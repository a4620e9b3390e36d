/** Rate limits of a route: the windows it reports, and the answer over the limit. */
import type { ErrorCode, TierName } from "@assay/contract";
import { expect, test } from "vitest";
import { windowsOf } from "../wire/told-windows.ts";
import { type Answer, expectRefusal } from "./exchange.ts";
import { expectLimitHeaders } from "./limit-headers.ts";
import type { RouteCase } from "./route-case.ts";

/** Requests per minute and address on light routes. */
const LIGHT_PER_MINUTE = 60;
/** Requests sent to routes without a limit: more than any other limit allows an address. */
const MANY = 150;

const expectExceeded = (it: RouteCase, answer: Answer, code: ErrorCode, limit: number): void => {
  expectRefusal(it.route, answer, code);
  expect(answer.json).toMatchObject({ limit, window: "minute" });
  const { retry_after_seconds: wait, reset_at: resetAt } = answer.json as { retry_after_seconds: number; reset_at: string }; // the schema guarantees it
  expect(answer.headers.get("retry-after")).toBe(String(wait));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect(Math.abs(Date.parse(resetAt) - it.harness.now() - wait * 1000)).toBeLessThanOrEqual(1_000);
  expect(answer.headers.get("x-ratelimit-limit")).toBe(String(limit));
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(answer.headers.get("x-should-retry")).toBeNull();
};

/** Sends requests until the limit is reached and checks the next answer. */
const exhaust = async (
  it: RouteCase,
  limit: number,
  windows: readonly string[],
  ask: (index: number) => Promise<Answer>,
): Promise<void> => {
  for (let count = 1; count <= limit; count += 1) {
    const answer = await ask(count);
    expect(answer.status, `request ${count} of ${limit}`).not.toBe(429);
    const told = windowsOf(answer).get("minute");
    expect(told).toMatchObject({ quota: limit, remaining: limit - count, lengthSeconds: 60 });
  }
  const over = await ask(limit + 1);
  expectExceeded(it, over, "rate_limit_exceeded", limit);
  expectLimitHeaders(over, windows, it.harness.now());
};

const registerStandardTests = (it: RouteCase): void => {
  test("reports the minute and hour of a caller without a key, and refuses it beyond the minute's allowance", async () => {
    const { keyless } = it.harness.catalog;
    const headers = it.harness.freshAddress();
    const first = await it.ask(null, { headers });
    const windows = expectLimitHeaders(first, ["minute", "hour"], it.harness.now());
    expect(windows.get("hour")).toMatchObject({ quota: keyless.perHour, lengthSeconds: 3600, remaining: keyless.perHour - 1 });
    const other = it.harness.freshAddress();
    await exhaust(it, keyless.perMinute, ["minute", "hour"], () => it.ask(null, { headers: other }));
  });

  test("reports the minute and month of a caller with a key, and refuses it beyond the tier's minute", async () => {
    const tier: TierName = it.route.access.tier;
    const caller = await it.caller();
    const { rate_limit_per_minute: limit, monthly_quota: quota } = it.harness.catalog.tiers[tier];
    await exhaust(it, limit, ["minute", "month"], async (count) => {
      const answer = await it.ask(caller);
      if (count === 1) {
        const windows = expectLimitHeaders(answer, ["minute", "month"], it.harness.now());
        expect(windows.get("month")).toMatchObject({ quota, remaining: it.route.access.metered ? quota - 1 : quota });
      }
      return answer;
    });
  });

  test("reports only that bucket's minute to a caller with a bad key", async () => {
    const answer = await it.ask(null, { key: "not-a-key" });
    expectLimitHeaders(answer, ["minute"], it.harness.now());
  });
};

/** Registers the tests of a route's limits. */
export const registerLimitTests = (it: RouteCase): void => {
  const { limit } = it.route.access;
  if (limit === "standard") registerStandardTests(it);

  if (limit === "light") {
    test("accepts 60 requests a minute from an address and refuses the next", async () => {
      const headers = it.harness.freshAddress();
      await exhaust(it, LIGHT_PER_MINUTE, ["minute"], () => it.ask(null, { headers }));
    });
  }

  if (limit === "none") {
    test(`answers one address ${MANY} times in a row and reports no limit`, async () => {
      const headers = it.harness.freshAddress();
      const answers = await Promise.all(Array.from({ length: MANY }, () => it.ask(null, { headers })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([it.route.success.status]));
      expect(answers[0]?.headers.get("ratelimit")).toBeNull();
      expect(answers[0]?.headers.get("x-ratelimit-limit")).toBeNull();
    });
  }
};
