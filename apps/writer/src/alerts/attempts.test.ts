/** What follows from a try: retries, their times, and when an endpoint is given up. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { Allowance, GIVE_UP_AFTER_MS, outcomeOf, RETRY_DELAYS_MS } from "./attempts.ts";

const NOW_MS = Date.UTC(2026, 10, 16, 14);
const due = { id: "msg_1", endpointId: "ep_1", failingSinceMs: null, tries: 0 };

describe("a try", () => {
  test("that is answered with any 2xx has delivered the event", () => {
    for (const httpStatus of [200, 202, 204, 299])
      expect(outcomeOf(due, { httpStatus }, NOW_MS, 0.5)).toMatchObject({ status: "delivered", error: null, nextTryAtMs: null });
  });

  test("that fails is followed by seven more, each later than the one before, and then the delivery has failed", () => {
    const delays = Array.from({ length: 8 }, (_, tries) => {
      const { nextTryAtMs, status } = outcomeOf({ ...due, tries }, { httpStatus: 500 }, NOW_MS, 0.5);
      return nextTryAtMs === null ? status : nextTryAtMs - NOW_MS;
    });
    expect(delays).toEqual([5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, "failed"]);
    expect(RETRY_DELAYS_MS).toHaveLength(7);
  });

  test("is repeated up to a tenth earlier or later, so that what failed together does not come back together", () => {
    const at = (random: number) => (outcomeOf(due, { fault: "timeout" }, NOW_MS, random).nextTryAtMs ?? 0) - NOW_MS;
    expect([at(0), at(0.999_999)]).toEqual([4_500, 5_500]);
  });

  test("says in one word why it failed", () => {
    const errorOf = (result: Parameters<typeof outcomeOf>[1]) => outcomeOf(due, result, NOW_MS, 0.5).error;
    expect([errorOf({ httpStatus: 301 }), errorOf({ httpStatus: 500 }), errorOf({ fault: "address" })]).toEqual([
      "redirect",
      "status",
      "address",
    ]);
  });

  test("that is answered with 410 disables the endpoint at once", () => {
    expect(outcomeOf(due, { httpStatus: 410 }, NOW_MS, 0.5)).toMatchObject({ status: "failed", disables: "gone" });
  });

  test("that fails after a week of failures disables the endpoint, and not before", () => {
    const failing = (ms: number) => outcomeOf({ ...due, failingSinceMs: NOW_MS - ms }, { httpStatus: 500 }, NOW_MS, 0.5);
    expect(failing(GIVE_UP_AFTER_MS - 1)).toMatchObject({ status: "pending", disables: null });
    expect(failing(GIVE_UP_AFTER_MS)).toMatchObject({ status: "failed", disables: "failing" });
  });
});

test("an organisation has as many deliveries a minute as its tier has requests, whatever the others have", () => {
  const allowance = new Allowance();
  const taken = (orgId: string, nowMs: number) =>
    Array.from({ length: 100 }, () => allowance.take(orgId, 30, nowMs)).filter(Boolean).length;
  expect(taken("org_1", NOW_MS)).toBe(30);
  expect(taken("org_2", NOW_MS)).toBe(30);
  expect(taken("org_1", NOW_MS + 20_000)).toBe(10);
  expect(taken("org_1", NOW_MS + DAY_MS)).toBe(30);
});
