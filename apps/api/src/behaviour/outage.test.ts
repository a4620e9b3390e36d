import { DAY_MS, SECOND_MS, startOfUtcDay } from "@assay/contract";
import { type Live, openMemoryLive } from "@assay/live";
import { attempt, type FailAny } from "@assay/services";
import { FRIDAY_MS, fakeClock, makeBar, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

/** Timeout for background work; a busy machine is slow. */
const PATIENT = { timeout: 15_000 };
const TODAY_MS = startOfUtcDay(FRIDAY_MS);

describe("while the store is down", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    await app.publish({
      ticks: [makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000 }), makeTick(2)],
      fx: [makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }), makeRates()],
      bars: [...makeBars("1d", TODAY_MS - DAY_MS, 5), makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false })],
    });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    app.store.recover();
    app.clock.set(FRIDAY_MS);
  });

  test("prices are answered as before, with a recently used key and without one", async () => {
    const { key } = await app.key("pro");
    const before = await app.ask("/v1/prices?include=all", { key });
    app.store.break();
    app.clock.advance(10 * SECOND_MS);
    expect((await app.ask("/v1/prices?include=sources,karat", { key })).status).toBe(200);
    expect((await app.ask("/v1/spot/XAU", { key })).json.price).toBe(
      before.json.symbols.find((row: { quote_currency: string }) => row.quote_currency === "USD").price,
    );
    for (const path of [
      "/v1/prices",
      "/v1/spot/XAU",
      "/v1/carat",
      "/v1/convert?from=XAU&to=EUR",
      "/v1/prices/divergence",
      "/v1/health",
      "/v1/status",
      "/v1/metadata/tiers",
    ]) {
      expect((await app.ask(path)).status, path).toBe(200);
    }
  });

  test("a key it cannot verify is 503, never a refusal or a caller without one, and works once the store is back", async () => {
    const { key } = await app.key("pro");
    app.store.break();
    for (const path of ["/v1/prices", "/v1/bars?symbol=XAU&from=2026-11-01&to=2026-11-20", "/v1/account/keys"]) {
      const { status, json, headers } = await app.ask(path, { key });
      expect([status, json.error], path).toEqual([503, "auth_unavailable"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await app.ask("/v1/spot/XAU", { key: "bad" })).json.error, "what is no key needs no store").toBe("invalid_api_key");
    app.store.recover();
    expect((await app.ask("/v1/spot/XAU", { key })).status).toBe(200);
  });

  test("bars nobody has requested yet are unavailable; others are served", async () => {
    const { key } = await app.key("pro");
    const known = "/v1/bars?symbol=XAU&from=2026-11-01&to=2026-11-20";
    expect((await app.ask(known, { key })).status).toBe(200);
    app.store.break();
    expect((await app.ask(known, { key })).status).toBe(200);
    const refused = await app.ask("/v1/bars?symbol=SI&from=2026-11-01&to=2026-11-20", { key });
    expect([refused.status, refused.json.error]).toEqual([503, "service_unavailable"]);
    expect(refused.headers.get("retry-after")).toBeTruthy();
    app.store.recover();
    expect((await app.ask("/v1/bars?symbol=SI&from=2026-11-01&to=2026-11-20", { key })).status).toBe(200);
  });

  test("keys are not listed, and none changes anything: it may have been revoked", async () => {
    const own = await app.key("pro");
    await app.ask("/v1/account/usage", { key: own.key });
    app.store.break();
    const listed = await app.ask("/v1/account/keys", { key: own.key });
    expect([listed.status, listed.json.error]).toEqual([503, "service_unavailable"]);
    const changes = [
      app.ask("/v1/account/keys", { key: own.key, method: "POST" }),
      app.ask(`/v1/account/keys/${own.keyId}`, { key: own.key, method: "DELETE" }),
    ];
    for (const { status, json } of await Promise.all(changes)) expect([status, json.error]).toEqual([503, "auth_unavailable"]);
    app.store.recover();
    expect((await app.ask("/v1/account/keys", { key: own.key })).json).toHaveLength(1);
  });

  test("calls are still counted, from zero when the stored count cannot be read", async () => {
    const { key } = await app.key("pro");
    await app.ask("/v1/account/keys", { key });
    app.store.break();
    expect((await app.ask("/v1/spot/XAU", { key })).status).toBe(200);
    expect((await app.ask("/v1/account/usage", { key })).json).toMatchObject({ calls_this_month: 1, days: null });
  });

  test("the details are in the log, and not in the answer", async () => {
    app.store.break();
    app.log.length = 0;
    const { key } = await app.key("pro");
    const { text, headers } = await app.ask("/v1/spot/XAU", { key });
    expect(text).not.toMatch(/ECONNREFUSED|database|postgres/i);
    // What is stored in the background fails as well, whenever it is due.
    expect(app.log.filter(({ message }) => !message.startsWith("failed to s"))).toMatchObject([
      { level: "error", message: "the key database does not respond" },
      { level: "debug", fields: { requestId: headers.get("x-request-id") } },
    ]);
    expect(JSON.stringify(app.log, (_, value) => (value instanceof Error ? value.message : value))).not.toContain(key);
  });
});

describe("an unexpected error", () => {
  let app: TestApp;
  let broken = false;
  const secret = "assay_live_secret /var/lib/somewhere SELECT * FROM api_keys";

  beforeAll(async () => {
    const clock = fakeClock(FRIDAY_MS);
    const live = openMemoryLive({ clock });
    const faulty: Live = {
      ...live,
      lease: Object.assign(Object.create(live.lease), live.lease),
      counters: new Proxy(live.counters, {
        get: (target, name) => {
          if (broken && name === "read") {
            return () => {
              throw new TypeError(secret);
            };
          }
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    };
    app = await startTestApp({ live: faulty, clock });
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()] });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    broken = false;
    app.log.length = 0;
  });

  test("is a plain-text 500 without detail; the detail is in the log under the request id", async () => {
    const { key } = await app.key("pro");
    await app.ask("/v1/spot/XAU", { key });
    broken = true;
    const { status, text, headers } = await app.ask("/v1/account/usage", { key, headers: { "X-Request-Id": "find-me" } });
    expect([status, text]).toEqual([500, "Internal Server Error"]);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    expect(headers.get("x-request-id")).toBe("find-me");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(app.log).toHaveLength(1);
    expect(app.log[0]).toMatchObject({ level: "error", fields: { requestId: "find-me" } });
    expect(app.log[0]?.fields.err).toBeInstanceOf(TypeError);
  });

  test("does not affect other requests", async () => {
    const { key } = await app.key("pro");
    await app.ask("/v1/spot/XAU", { key });
    broken = true;
    expect((await app.ask("/v1/account/usage", { key })).status).toBe(500);
    expect((await app.ask("/v1/spot/XAU", { key })).status).toBe(200);
  });

  test("is never metered", async () => {
    const { key } = await app.key("pro");
    const { tickAt } = app.service.market;
    app.service.market.tickAt = () => {
      throw new RangeError(secret);
    };
    const failed = await app.ask("/v1/carat", { key });
    app.service.market.tickAt = tickAt;
    expect([failed.status, failed.text]).toEqual([500, "Internal Server Error"]);
    expect((await app.ask("/v1/account/usage", { key })).json.calls_this_month).toBe(0);
  });

  test("is never reported as a refusal when a route throws a code it never declared", async () => {
    const { tickAt } = app.service.market;
    // What no verb can do: use the `fail` of any code, beyond its route's own.
    const fail = attempt<FailAny>(
      (any) => any,
      ({ code }) => {
        throw new Error(`refused with ${code}`);
      },
    ) as FailAny; // nothing is waited for
    app.service.market.tickAt = () => fail("unknown_pair", { message: secret });
    const { status, text } = await app.ask("/v1/carat", { key: (await app.key("pro")).key });
    app.service.market.tickAt = tickAt;
    expect([status, text]).toEqual([500, "Internal Server Error"]);
  });
});

describe("missed events", () => {
  test("make the service reload the market, without losing a price or a bar", async () => {
    const clock = fakeClock(FRIDAY_MS);
    const live = openMemoryLive({ clock });
    let onGap: (() => void) | undefined;
    let deaf = false;
    const lossy: Live = {
      ...live,
      lease: live.lease,
      bus: {
        publish: (event) => (deaf ? Promise.resolve() : live.bus.publish(event)),
        subscribe: (handler, options) => {
          onGap = () => options?.onGap?.({ reason: "missed" });
          return live.bus.subscribe(handler, options);
        },
      },
    };
    const app = await startTestApp({ live: lossy, clock });
    const { key } = await app.key("realtime_pro");
    const bars = async () => (await app.ask("/v1/bars?symbol=XAU&from=2026-11-01&to=2026-11-20", { key })).json.bars.length;
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()], bars: makeBars("1d", TODAY_MS - 2 * DAY_MS, 3) });
    expect(await bars()).toBe(3);
    deaf = true;
    await app.publish({
      ticks: [makeTick(2, { price: "5000.00", computedAtMs: FRIDAY_MS + 1 })],
      bars: makeBars("1d", TODAY_MS - DAY_MS, 1),
    });
    clock.advance(1);
    expect((await app.ask("/v1/spot/XAU", { key })).json.price, "no event reached it").toBe("4003.20");
    onGap?.();
    await expect.poll(async () => (await app.ask("/v1/spot/XAU", { key })).json.price, PATIENT).toBe("5000.00");
    await expect.poll(bars, PATIENT).toBe(4);
    await app.close();
    await live.close();
  });
});
