/** Prices of a shop: on its own basis, held for a while, and verified by whoever has the receipt. */
import { FRIDAY_MS, makeRates, makeTick, RATES } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let other: TestApp;
let key: string;
let otherKey: string;
beforeAll(async () => {
  [app, other] = await Promise.all([startTestApp(), startTestApp()]);
  for (const each of [app, other]) {
    await each.publish({
      ticks: [makeTick(1, { computedAtMs: FRIDAY_MS, price: "3110.34768", bid: "3110.34768", ask: "3110.34768" })],
      fx: [makeRates({ rates: { ...RATES, EUR: "1" } })],
    });
  }
  ({ key } = await app.key("pro"));
  ({ key: otherKey } = await other.key("pro"));
});
afterAll(() => Promise.all([app.close(), other.close()]));

const GRAM = { metal: "XAU", weight: "1", unit: "gram" };
const quote = (more: object, format = "json", at = app) =>
  at.ask(`/v1/quotes?format=${format}`, {
    method: "POST",
    key: at === app ? key : otherKey,
    body: { currency: "EUR", items: [GRAM], ...more },
  });
const verify = (receipt: unknown, at = app) => at.ask("/v1/quotes/verify", { method: "POST", body: { receipt } });

describe("a basis", () => {
  test.each([
    ["5.5", "105.5", "105.50"],
    ["-0.25", "99.75", "99.75"],
    ["0", "100", "100.00"],
  ])("of %s %% is part of every price, and said beside it", async (premium_percent, gram, total) => {
    const { json } = await quote({ basis: { premium_percent } });
    expect(json.prices).toMatchObject([{ premium_percent, price_per_fine_gram: gram, price_usd: "3110.34768" }]);
    expect(json.items).toMatchObject([{ metal_value: total, total }]);
    expect((await quote({})).json.prices[0]).not.toHaveProperty("premium_percent");
  });

  test.each([
    [{ premium_percent: 5 }, "premium_percent", /as text/],
    [{ premium_percent: "-100" }, "premium_percent", /above -100 and up to 100/],
    [{ premium_percent: "100.5" }, "premium_percent", /above -100 and up to 100/],
    [{ premium_percent: "1e1" }, "premium_percent", /must be a decimal/],
    [{}, "premium_percent", /is required/],
    [{ dealer: "IN", premium_percent: "1" }, "basis", /the fields are premium_percent/],
  ])("%j is refused", async (basis, name, message) => {
    const { status, json } = await quote({ basis });
    expect([status, json.error]).toEqual([422, "validation_error"]);
    expect(json.issues[0]).toMatchObject({ message: expect.stringMatching(message) });
    expect(json.issues[0].path).toContain(name);
  });

  test("is in the query of a file, as JSON", async () => {
    const basis = encodeURIComponent('{"premium_percent":"5.5"}');
    const send = (query: string) =>
      app.ask(`/v1/quotes?currency=EUR&basis=${query}`, {
        method: "POST",
        key,
        rawBody: "metal,weight,unit\r\nXAU,1,gram\r\n",
        headers: { "Content-Type": "text/csv" },
      });
    expect((await send(basis)).text).toContain("105.50");
    expect((await send("5.5")).json.issues).toMatchObject([{ path: ["query", "basis"], message: "must be an object as JSON" }]);
  });
});

describe("a price that is held", () => {
  test("is one of a receipt, which says until when", async () => {
    const { text } = await quote({ hold_minutes: 10 }, "jws");
    const until = new Date(FRIDAY_MS + 10 * 60_000).toISOString().replace(".000Z", "Z");
    expect((await verify(text)).json).toMatchObject({
      is_ours: true,
      is_unaltered: true,
      is_held: true,
      valid_until: until,
      route: "POST /v1/quotes",
      simulated: false,
    });
    app.clock.set(FRIDAY_MS + 10 * 60_000);
    expect((await verify(text)).json).toMatchObject({ is_held: true });
    app.clock.set(FRIDAY_MS + 10 * 60_000 + 1_000);
    expect((await verify(text)).json).toMatchObject({ is_unaltered: true, is_held: false, valid_until: until });
    app.clock.set(FRIDAY_MS);
  });

  test("is for one to thirty minutes", async () => {
    expect((await quote({ hold_minutes: 30 })).json.valid_until).toBe(
      new Date(FRIDAY_MS + 30 * 60_000).toISOString().replace(".000Z", "Z"),
    );
    for (const hold_minutes of [0, 31, 1.5, "ten"]) {
      const { status, json } = await quote({ hold_minutes }, "jws");
      expect([status, json.issues[0].message]).toEqual([422, "must be a whole number from 1 to 30"]);
    }
  });
});

describe("a receipt", () => {
  test("that is not held is genuine all the same", async () => {
    const { json } = await verify((await app.ask("/v1/spot/gold?format=jws", { key })).text);
    expect(json).toMatchObject({ is_ours: true, is_unaltered: true, is_held: false, route: "GET /v1/spot/{symbol}" });
    expect(json).not.toHaveProperty("valid_until");
  });

  test("that was changed, or is of another service, says nothing of what it holds", async () => {
    const { text } = await quote({ hold_minutes: 10 }, "jws");
    const [head = "", claims = "", signature = ""] = text.split(".");
    const cheaper = Buffer.from(Buffer.from(claims, "base64url").toString().replaceAll("100.00", "1.00")).toString("base64url");
    expect(cheaper).not.toBe(claims);
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const [receipt, is_ours] of [
      [`${head}.${cheaper}.${signature}`, true],
      [`${head}.${claims}.${signature.slice(1)}A`, true],
      [`${none}.${claims}.${signature}`, false],
      [(await quote({ hold_minutes: 10 }, "jws", other)).text, false],
    ] as const) {
      expect((await verify(receipt)).json).toEqual({
        is_ours,
        is_unaltered: false,
        is_held: false,
        checked_at: expect.any(String),
      });
    }
  });

  test.each([undefined, 7, "", "a.b", "a.b.c.d", "ä.b.c"])("%j is none", async (receipt) => {
    const { status, json } = await verify(receipt);
    expect([status, json.error]).toEqual([422, "validation_error"]);
  });
});
