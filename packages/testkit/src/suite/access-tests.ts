/** How a route handles keys: their forms, bad ones, revoked ones, two at once. */
import { generateKey } from "@assay/services";
import { expect, test } from "vitest";
import { expectRefusal, expectSuccess } from "./exchange.ts";
import type { RouteCase } from "./route-case.ts";

/** A key with one mistyped character; the checksum rejects it. */
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
  test("accepts a key as a bearer, in any case of the word, and as X-API-Key", async () => {
    const caller = await it.caller();
    const forms = [{ Authorization: `bearer ${caller.key}` }, { "X-API-Key": caller.key }];
    const both = { Authorization: `Bearer ${caller.key}`, "X-API-Key": caller.key };
    for (const headers of [...forms, both]) {
      const fresh = await it.ask(caller, { key: undefined, headers });
      expect(fresh.status, JSON.stringify(Object.keys(headers))).not.toBe(401);
    }
  });

  test("refuses an invalid key, whatever is wrong with it", async () => {
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

/** Registers the tests of the keys a route accepts; who is allowed is covered by the matrix. */
export const registerAccessTests = (it: RouteCase): void => {
  if (it.readsKeys) registerKeyTests(it);
  else {
    test("ignores keys, good or bad", async () => {
      expectSuccess(it.route, await it.ask(null, { headers: { Authorization: "Bearer not-a-key" } }));
    });
  }
};
