import { overlayCatalog } from "@assay/contract";
import { windowsOf } from "@assay/contract-test/requests";
import { openMemoryLive } from "@assay/live";
import { machineRandom } from "@assay/ports";
import { generateKey } from "@assay/services";
import { FRIDAY_MS, fakeClock } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";

const catalog = overlayCatalog({
  keyless: { per_minute: 4, per_hour: 6 },
  free: { rate_limit_per_minute: 12, monthly_quota: 6 },
  realtime_pro: { rate_limit_per_minute: 5_000, monthly_quota: 300 },
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ catalog });
});
afterAll(() => app.close());

/** Sends requests one after another, and returns the statuses. */
const statuses = async (count: number, ask: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await ask(index)).status);
  return all;
};
const times = (count: number, status: number): number[] => Array(count).fill(status);

describe("without a key", () => {
  test("an address has a number of requests a minute, over all routes together", async () => {
    const from = freshAddress();
    const paths = ["/v1/prices", "/v1/spot/XAU", "/v1/prices?symbol=garbage", "/v1/account/usage"];
    expect(await statuses(4, (index) => app.ask(paths[index] ?? "", { from }))).toEqual([200, 200, 400, 401]);
    const { status, json, headers } = await app.ask("/v1/prices", { from });
    expect([status, json.error, json.window, json.limit]).toEqual([429, "rate_limit_exceeded", "minute", 4]);
    expect(headers.get("x-should-retry")).toBeNull();
    expect((await app.ask("/v1/prices")).status, "its neighbours go on").toBe(200);
  });

  test("an address has a number of requests an hour, and is refused with another code", async () => {
    // The clock is real within a minute; the hour's limit is reached from addresses of one /64, each below its minute's limit.
    const other = await startTestApp({ store: app.store, catalog: overlayCatalog({ keyless: { per_minute: 50, per_hour: 6 } }) });
    const from = freshAddress();
    expect(await statuses(6, () => other.ask("/v1/prices", { from }))).toEqual(times(6, 200));
    const { status, json, headers } = await other.ask("/v1/prices", { from });
    expect([status, json.error, json.window, json.limit]).toEqual([429, "rate_limited", "hour", 6]);
    expect(json.retry_after_seconds).toBeGreaterThan(3_500);
    expect(headers.get("x-ratelimit-limit")).toBe("6");
    expect(Date.parse(json.reset_at) - other.clock()).toBeGreaterThan(3_500_000);
    const windows = windowsOf({ headers });
    expect(windows.get("hour")).toMatchObject({ quota: 6, remaining: 0 });
    await other.close();
  });

  test("refused requests do not count, so that waiting helps", async () => {
    const from = freshAddress();
    await statuses(4, () => app.ask("/v1/prices", { from }));
    expect(await statuses(5, () => app.ask("/v1/prices", { from }))).toEqual(times(5, 429));
    const { headers } = await app.ask("/v1/prices", { from });
    expect(windowsOf({ headers }).get("hour")?.remaining).toBe(2);
  });

  test("health and public history are never limited; status and tiers are counted apart from the data routes", async () => {
    const from = freshAddress();
    await statuses(5, () => app.ask("/v1/prices", { from }));
    expect(await statuses(30, () => app.ask("/v1/health", { from }))).toEqual(times(30, 200));
    expect(await statuses(30, () => app.ask("/v1/public/xau-history", { from }))).toEqual(times(30, 200));
    expect(await statuses(30, () => app.ask("/v1/status", { from }))).toEqual(times(30, 200));
    expect(await statuses(30, () => app.ask("/v1/metadata/tiers", { from }))).toEqual(times(30, 200));
    expect((await app.ask("/v1/metadata/tiers", { from })).status, "they share one bucket").toBe(429);
  });
});

describe("addresses", () => {
  const full = async (from: string) => {
    await statuses(4, () => app.ask("/v1/prices", { from }));
    return from;
  };
  const status = async (from: string) => (await app.ask("/v1/prices", { from })).status;

  test("of IPv6 count by their /64", async () => {
    await full("2001:db8:1:2::1");
    expect(await status("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe(429);
    expect(await status("2001:DB8:1:2:0:0:0:9")).toBe(429);
    expect(await status("2001:db8:1:3::1")).toBe(200);
  });

  test("of IPv4 written as IPv6 are the same address", async () => {
    await full("198.51.100.7");
    expect(await status("::ffff:198.51.100.7")).toBe(429);
    expect(await status("::ffff:198.51.100.8")).toBe(200);
  });

  test("are the last one not added by a trusted proxy: a client cannot choose its own", async () => {
    await full("203.0.113.9");
    expect(await status("1.1.1.1, 203.0.113.9"), "made up in front").toBe(429);
    expect(await status("203.0.113.9, 1.1.1.1"), "the proxy saw another").toBe(200);
  });

  test("that cannot be parsed share one allowance", async () => {
    await full("garbage-1");
    expect(await status("garbage-2")).toBe(429);
  });

  test("come from the socket when no proxy is trusted, whatever headers say", async () => {
    const direct = await startTestApp({ store: app.store, catalog, trustProxy: [] });
    expect(await statuses(5, () => direct.ask("/v1/prices"))).toEqual([...times(4, 200), 429]);
    await direct.close();
    const elsewhere = await startTestApp({ store: app.store, catalog, trustProxy: ["192.0.2.0/24"] });
    expect(await statuses(5, () => elsewhere.ask("/v1/prices"))).toEqual([...times(4, 200), 429]);
    await elsewhere.close();
  });
});

describe("bad keys", () => {
  test("have their own bucket, 20 a minute and address, and lock out neither neighbours nor good keys", async () => {
    const from = freshAddress();
    const good = await app.key("realtime_pro");
    expect(await statuses(20, () => app.ask("/v1/prices", { from, key: "bad" }))).toEqual(times(20, 401));
    const { status, json } = await app.ask("/v1/prices", { from, key: "bad" });
    expect([status, json.error, json.limit]).toEqual([429, "rate_limit_exceeded", 20]);
    const { status: neighbour, headers } = await app.ask("/v1/prices", { from });
    expect([neighbour, windowsOf({ headers }).get("minute")]).toMatchObject([200, { quota: 4, remaining: 3 }]);
    expect((await app.ask("/v1/prices", { from, key: good.key })).status).toBe(200);
  });

  test("that are well-formed reach the store twenty times a minute and address, over REST and tRPC together", async () => {
    const from = freshAddress();
    const path = (index: number) => (index % 2 ? "/v1/carat" : "/trpc/carat.get");
    expect(await statuses(20, (index) => app.ask(path(index), { from, key: generateKey(machineRandom) }))).toEqual(
      times(20, 401),
    );
    const { status, json, headers } = await app.ask("/v1/carat", { from, key: generateKey(machineRandom) });
    expect([status, json.error, json.limit]).toEqual([429, "rate_limit_exceeded", 20]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await statuses(20, (index) => app.ask(path(index), { from, key: generateKey(machineRandom) }))).toEqual(
      times(20, 429),
    );
    expect((await app.ask("/v1/prices", { from })).status, "its neighbours go on").toBe(200);
  });

  test("never lock out a key that existed when the process started, even if it comes right after them", async () => {
    const { key } = await app.key("pro");
    const restarted = await startTestApp({ store: app.store });
    const from = freshAddress();
    expect(await statuses(21, () => restarted.ask("/v1/carat", { from, key: generateKey(machineRandom) }))).toEqual([
      ...times(20, 401),
      429,
    ]);
    expect((await restarted.ask("/v1/account/usage", { from, key })).status).toBe(200);
    await restarted.close();
  });
});

describe("with a key", () => {
  test("the minute is the organisation's: two keys share one", async () => {
    const first = await app.key("free");
    const second = await app.key("free", first);
    const keys = [first.key, second.key];
    expect(await statuses(12, (index) => app.ask("/v1/account/keys", { key: keys[index % 2] }))).toEqual(times(12, 200));
    for (const key of keys) expect((await app.ask("/v1/account/keys", { key })).json.error).toBe("rate_limit_exceeded");
  });
});

describe("the monthly quota", () => {
  test("refuses the call beyond it, says a retry does not help, and leaves the account routes open", async () => {
    const { key } = await app.key("free");
    expect(await statuses(6, () => app.ask("/v1/prices", { key }))).toEqual(times(6, 200));
    const { status, json, headers } = await app.ask("/v1/prices", { key });
    expect([status, json.error, json.window, json.limit]).toEqual([429, "quota_exceeded", "month", 6]);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(json.reset_at).toBe("2026-12-01T00:00:00Z");
    expect(Number(headers.get("retry-after"))).toBe((Date.parse("2026-12-01T00:00:00Z") - app.clock()) / 1000);
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["6", "0"]);
    expect((await app.ask("/v1/account/usage", { key })).json).toMatchObject({ calls_this_month: 6, remaining_this_month: 0 });
  });

  test("restarts each month", async () => {
    const { key } = await app.key("free");
    await statuses(6, () => app.ask("/v1/prices", { key }));
    expect((await app.ask("/v1/prices", { key })).status).toBe(429);
    const startMs = app.clock();
    app.clock.set(Date.parse("2026-12-01T00:00:00Z"));
    expect((await app.ask("/v1/prices", { key })).status).toBe(200);
    app.clock.set(startMs);
  });

  test("is not used up by refusals or by 304 answers", async () => {
    const { key } = await app.key("free");
    const refusals = [
      "/v1/prices?symbol=garbage",
      "/v1/spot/XAU-ABC-SPOT",
      "/v1/prices?symbol=XAG",
      "/v1/carat",
      "/v1/bars?limit=x",
      "/v1/nothing",
    ];
    expect(await statuses(refusals.length, (index) => app.ask(refusals[index] ?? "", { key }))).toEqual([
      400, 404, 403, 503, 422, 404,
    ]);
    const { headers, json } = await app.ask("/v1/account/usage", { key });
    expect(json.calls_this_month).toBe(0);
    expect(windowsOf({ headers }).get("month")).toMatchObject({ quota: 6, remaining: 6 });
  });

  test("of zero lets no metered call through, but does allow the account routes", async () => {
    const closed = await startTestApp({ store: app.store, catalog: overlayCatalog({ free: { monthly_quota: 0 } }) });
    const { key } = await closed.key("free");
    expect((await closed.ask("/v1/prices", { key })).json.error).toBe("quota_exceeded");
    expect((await closed.ask("/v1/account/keys", { key })).status).toBe(200);
    await closed.close();
  });
});

describe("hundreds of requests at once", () => {
  test("are counted exactly, and no more than the quota gets through", async () => {
    const { key } = await app.key("realtime_pro");
    const replies = await Promise.all(Array.from({ length: 400 }, () => app.ask("/v1/prices", { key })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(300);
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ json }) => json.error))).toEqual(
      new Set(["quota_exceeded"]),
    );
    expect((await app.ask("/v1/account/usage", { key })).json).toMatchObject({ calls_this_month: 300, remaining_this_month: 0 });
  });

  test("good and bad together, leave exactly the good ones counted", async () => {
    const { key } = await app.key("realtime_pro");
    const paths = ["/v1/prices", "/v1/spot/garbage", "/v1/spot/XAU", "/v1/bars?limit=x"];
    const replies = await Promise.all(Array.from({ length: 280 }, (_, index) => app.ask(paths[index % 4] ?? "", { key })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(140);
    expect((await app.ask("/v1/account/usage", { key })).json.calls_this_month).toBe(140);
  });

  test("without a key, let exactly the allowance through", async () => {
    const from = freshAddress();
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.ask("/v1/prices", { from })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
  });
});

describe("a restart", () => {
  test("loses no counted call", async () => {
    const { store } = app;
    const clock = fakeClock(FRIDAY_MS);
    const first = await startTestApp({ store, clock, catalog });
    const { key } = await first.key("free");
    expect(await statuses(4, () => first.ask("/v1/prices", { key }))).toEqual(times(4, 200));
    await first.close();

    const second = await startTestApp({ store, clock, catalog });
    expect((await second.ask("/v1/account/usage", { key })).json).toMatchObject({ calls_today: 4, calls_this_month: 4 });
    expect(await statuses(3, () => second.ask("/v1/prices", { key }))).toEqual([200, 200, 429]);
    await second.close();
  });

  test("loses none either when the store was down as it ended, as long as the counters live", async () => {
    const { store } = app;
    const clock = fakeClock(FRIDAY_MS);
    const live = openMemoryLive({ clock });
    const first = await startTestApp({ store, live, clock, catalog });
    const { key } = await first.key("free");
    await statuses(3, () => first.ask("/v1/prices", { key }));
    first.store.break();
    await first.close();
    expect(first.log.map(({ message }) => message)).toContain("failed to settle usage; keeping it for the next attempt");

    const second = await startTestApp({ store, live, clock, catalog });
    await second.close();
    const third = await startTestApp({ store, clock, catalog });
    expect((await third.ask("/v1/account/usage", { key })).json.calls_this_month).toBe(3);
    await third.close();
    await live.close();
  });
});
