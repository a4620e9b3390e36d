/** Who is let in: without a key, with a bad one, a revoked one, two of them, and one of too low a tier. */
import { TIER_NAMES } from "@assay/contract";
import { generateKey } from "@assay/services";
import { expect, test } from "vitest";
import { expectRefusal, expectSuccess } from "./exchange.ts";
import type { RouteCase } from "./route-case.ts";

/** A key with one character mistyped; its checksum tells. */
const mistyped = (key: string): string => `${key.slice(0, 20)}${key[20] === "0" ? "1" : "0"}${key.slice(21)}`;

const badKeys = (key: string): Record<string, Record<string, string>> => ({
  unknown: { Authorization: `Bearer ${generateKey()}` },
  "unknown, as X-API-Key": { "X-API-Key": generateKey() },
  mistyped: { Authorization: `Bearer ${mistyped(key)}` },
  malformed: { Authorization: "Bearer not-a-key" },
  empty: { Authorization: "Bearer " },
  "empty X-API-Key": { "X-API-Key": "" },
  "of another scheme": { Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
  "with words behind it": { Authorization: `Bearer ${key} ${key}` },
  overlong: { Authorization: `Bearer ${key}${"0".repeat(4000)}` },
  "two different ones": { Authorization: `Bearer ${key}`, "X-API-Key": generateKey() },
});

const registerKeyTests = (it: RouteCase): void => {
  const { route } = it;
  test("takes a key as a bearer, in any case of the word, and as X-API-Key", async () => {
    const caller = await it.caller();
    const forms = [{ Authorization: `bearer ${caller.key}` }, { "X-API-Key": caller.key }];
    const both = { Authorization: `Bearer ${caller.key}`, "X-API-Key": caller.key };
    for (const headers of [...forms, both]) {
      const fresh = await it.ask(caller, { key: undefined, headers });
      expect(fresh.status, JSON.stringify(Object.keys(headers))).not.toBe(401);
    }
  });

  test("refuses a supplied key that is no good, whatever is wrong with it", async () => {
    const caller = await it.caller();
    for (const [what, headers] of Object.entries(badKeys(caller.key))) {
      const answer = await it.ask(caller, { key: undefined, headers });
      expect(answer.status, what).toBe(401);
      expectRefusal(route, answer, "invalid_api_key");
      expect(answer.text, "a key is never repeated").not.toContain(caller.key);
    }
  });

  test("refuses a revoked key", async () => {
    const caller = await it.caller();
    await it.harness.revoke(caller);
    expectRefusal(route, await it.ask(caller), "invalid_api_key");
  });
};

/** Registers the tests of a route's access. */
export const registerAccessTests = (it: RouteCase): void => {
  const { route } = it;
  const { auth, tier } = route.access;

  if (auth === "required") {
    test(`refuses a caller without a key with ${route.unauthenticatedCode}`, async () => {
      expectRefusal(route, await it.ask(null), route.unauthenticatedCode);
    });
  } else {
    test("answers a caller without a key", async () => {
      expectSuccess(route, await it.ask(null));
    });
  }

  if (auth === "none") {
    test("ignores keys, good or bad", async () => {
      expectSuccess(route, await it.ask(null, { headers: { Authorization: "Bearer not-a-key" } }));
    });
    return;
  }

  registerKeyTests(it);

  for (const each of TIER_NAMES.slice(TIER_NAMES.indexOf(tier))) {
    test(`answers a ${each} key`, async () => {
      expectSuccess(route, await it.ask(await it.caller(each)));
    });
  }
  for (const each of TIER_NAMES.slice(0, TIER_NAMES.indexOf(tier))) {
    test(`refuses a ${each} key and names the tier it takes`, async () => {
      const answer = await it.ask(await it.caller(each));
      expectRefusal(route, answer, "plan_gated");
      expect(answer.json).toMatchObject({ tier: each, required_tier: tier });
    });
  }
};
