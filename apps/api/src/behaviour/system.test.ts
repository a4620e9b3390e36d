import { catalogue } from "@assay/catalogue";
import { DEFAULT_CATALOG, MINUTE_MS, overlayCatalog, TIER_NAMES } from "@assay/contract";
import type { Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type Live, openMemoryLive } from "@assay/live";
import { FRIDAY_MS, fakeClock, makeBar, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

/** `printf writer-1 | sha256sum | cut -c1-12` */
const WRITER_1 = "0beb760a1e27";

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

describe("/v1/health", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ store });
  });
  afterAll(() => app.close());

  test("succeeds while everything behind it is down", async () => {
    app.store.break();
    const { status, json } = await app.ask("/v1/health");
    app.store.recover();
    expect([status, json]).toEqual([200, { status: "ok", service: "assay", version: "0.1.0" }]);
  });
});

describe("/v1/metadata/tiers", () => {
  test("is the catalog the service runs with, lowest tier first, cached for an hour", async () => {
    const app = await startTestApp({ store, catalog: overlayCatalog({ free: { monthly_quota: 7 } }) });
    const { json, headers } = await app.ask("/v1/metadata/tiers");
    expect(json.map(({ name }: { name: string }) => name)).toEqual([...TIER_NAMES]);
    expect(json[0]).toEqual({ ...DEFAULT_CATALOG.tiers.free, monthly_quota: 7 });
    expect(json[1].hidden).toBe(true);
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    await app.close();
  });
});

describe("/v1/status", () => {
  let app: TestApp;
  let live: Live;
  let isCacheAway = false;
  let isCacheRefusing = false;
  const clock = fakeClock(FRIDAY_MS);

  const feed = (change: Partial<FeedHealthEntry> = {}): FeedHealthEntry => ({
    required: true,
    expectedIntervalMs: 10_000,
    lastSuccessAtMs: FRIDAY_MS,
    consecutiveFailures: 0,
    rejectedObservations: 0,
    lastError: null,
    ...change,
  });
  let order = 0;
  const report = async (feeds: Record<string, FeedHealthEntry>, more: Partial<FeedsDocument> = {}) => {
    order += 1;
    const document: FeedsDocument = { atMs: clock(), simulated: false, feeds, ...more };
    await live.latest.put(FEEDS_DOCUMENT_KEY, JSON.stringify(document), { token: 1, atMs: FRIDAY_MS + order });
  };
  const status = async (from: TestApp = app) => (await from.ask("/v1/status")).json;

  beforeAll(async () => {
    const memory = openMemoryLive({ clock });
    live = {
      ...memory,
      outage: () => (isCacheRefusing ? "full" : null),
      latest: {
        put: (...all) => memory.latest.put(...all),
        get: (key) => memory.latest.get(key),
        ping: () => (isCacheAway ? Promise.reject(new Error("gone")) : memory.latest.ping()),
      },
    };
    app = await startTestApp({ store, live, clock, configuredWriter: "writer-1" });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    isCacheAway = false;
    isCacheRefusing = false;
    clock.set(FRIDAY_MS);
    const held = await live.lease.current();
    if (held) await live.lease.release(held);
    await live.lease.acquire("writer-1", 10 * MINUTE_MS, 0);
    await report({ alpha: feed(), extra: feed({ required: false }) });
  });

  test("is degraded on an empty machine, and says why in words", async () => {
    const empty = await startTestApp({ store, marketHours: false });
    expect(await status(empty)).toMatchObject({
      status: "degraded",
      checks: {
        cache: { ok: true },
        bars: { ok: false, last_bar_at: null, age_seconds: null },
        live_writer: { ok: false, lease_owner: null },
      },
      scrapers: {},
      reasons: ["No writer has reported on its feeds yet.", "XAU-USD-SPOT bars are not fresh.", "No writer holds the lease."],
    });
    await empty.close();
  });

  test("is ok when cache, feeds, bars and lease are, and says so of each", async () => {
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()], bars: [makeBar({ barStartMs: FRIDAY_MS, isClosed: false })] });
    const json = await status();
    expect(json).toMatchObject({
      status: "ok",
      checked_at: "2026-11-20T14:00:00Z",
      checks: {
        cache: { ok: true },
        bars: { ok: true, last_bar_at: "2026-11-20T14:00:00Z", age_seconds: 0 },
        live_writer: { ok: true, configured: WRITER_1, lease_owner: WRITER_1, lease_expires_at: "2026-11-20T14:10:00Z" },
      },
      scrapers: {
        alpha: { status: "ok", required: true, expected_interval_seconds: 10, age_seconds: 0, consecutive_failures: 0 },
      },
      market: { state: "open", next_change_at: "2026-11-20T22:00:00Z" },
      simulated: false,
      reasons: [],
    });
    expect(json.checks.live_writer.fencing_token).toBeGreaterThan(0);
  });

  test("is degraded once a required feed has had no success for twice its interval, to the millisecond", async () => {
    clock.advance(20_000);
    expect((await status()).status).toBe("ok");
    clock.advance(1);
    const json = await status();
    expect(json.status).toBe("degraded");
    expect(json.scrapers.alpha.status).toBe("failing");
    expect(json.reasons).toEqual(["Feed alpha has not succeeded within twice its interval of 10 s."]);
  });

  test("ignores feeds that are not required", async () => {
    await report({
      alpha: feed(),
      extra: feed({ required: false, lastSuccessAtMs: FRIDAY_MS - 3_600_000, consecutiveFailures: 9, lastError: "timeout" }),
    });
    expect(await status()).toMatchObject({
      status: "ok",
      scrapers: { extra: { status: "failing", consecutive_failures: 9, last_error: "timeout" } },
    });
  });

  test("is degraded by a price that no central bank's daily price supports, without a figure of it", async () => {
    const offReference = [{ instrument: "XAG-USD-SPOT", sources: ["cbr", "nbm"] }];
    await report({ alpha: feed() }, { offReference });
    expect(await status()).toMatchObject({
      status: "degraded",
      reasons: ["off_reference: XAG-USD-SPOT is outside the agreement band of every daily price of central banks (cbr, nbm)."],
    });
  });

  test("is degraded by a required price that is not fresh while its market is open, whatever the feeds say", async () => {
    const stale = ["stale_price: XAU-USD-SPOT has no fresh price while the market is open."];
    const required = ["XAU-USD-SPOT"];
    // The tick is fresh for a minute; before it was computed, as after a clock was set back, there is no price at all.
    for (const [atMs, reasons] of [
      [FRIDAY_MS, []],
      [FRIDAY_MS + MINUTE_MS, []],
      [FRIDAY_MS + MINUTE_MS + 1, stale],
      [FRIDAY_MS - 1, stale],
    ] as const) {
      clock.set(atMs);
      await report({ alpha: feed({ lastSuccessAtMs: clock() }) }, { required });
      expect(await status(), String(atMs)).toMatchObject({ status: reasons.length === 0 ? "ok" : "degraded", reasons });
    }
    await report({ alpha: feed({ lastSuccessAtMs: clock() }) }, { required: [] });
    expect((await status()).reasons).toEqual([]);
    clock.set(Date.UTC(2026, 10, 21, 12));
    await live.lease.acquire("writer-1", MINUTE_MS, 0);
    await report({ alpha: feed({ lastSuccessAtMs: clock() }) }, { required });
    expect(await status()).toMatchObject({ status: "ok", reasons: [], market: { state: "closed" } });
  });

  test("distinguishes a feed that has not started from one that fails", async () => {
    await report({
      alpha: feed(),
      slow: feed({ lastSuccessAtMs: null }),
      bad: feed({ lastSuccessAtMs: null, consecutiveFailures: 1 }),
    });
    const { scrapers, status: overall } = await status();
    expect([overall, scrapers.slow.status, scrapers.bad.status]).toEqual(["degraded", "waiting", "failing"]);
    expect([scrapers.slow.last_success_at, scrapers.slow.age_seconds]).toEqual([null, null]);
  });

  test("is degraded when a writer other than the configured one holds the lease, and when there is no holder", async () => {
    const held = await live.lease.current();
    if (held) await live.lease.release(held);
    expect((await status()).reasons).toEqual(["No writer holds the lease."]);
    await live.lease.acquire("writer-2", MINUTE_MS, 0);
    const json = await status();
    expect(json.reasons).toEqual(["The lease is held by a writer other than the configured one, or has expired."]);
    expect(json.checks.live_writer).toMatchObject({
      ok: false,
      configured: WRITER_1,
      lease_owner: expect.not.stringMatching(WRITER_1),
    });
  });

  test("is degraded when gold has had no bar for five minutes of an open market, and not while it is closed", async () => {
    clock.advance(5 * MINUTE_MS);
    await report({ alpha: feed({ lastSuccessAtMs: clock() }) });
    expect((await status()).status).toBe("ok");
    clock.advance(1);
    expect((await status()).reasons).toEqual(["XAU-USD-SPOT bars are not fresh."]);
    clock.set(Date.UTC(2026, 10, 21, 12));
    await report({ alpha: feed({ lastSuccessAtMs: clock() }) });
    await live.lease.acquire("writer-1", MINUTE_MS, 0);
    expect(await status()).toMatchObject({ status: "ok", market: { state: "closed", next_change_at: "2026-11-22T23:00:00Z" } });
  });

  test("is degraded and still answered when the cache is down", async () => {
    isCacheAway = true;
    const { status: code, json } = await app.ask("/v1/status");
    expect(code).toBe(200);
    expect(json).toMatchObject({ status: "degraded", checks: { cache: { ok: false } } });
    expect(json.reasons).toContainEqual(expect.stringMatching(/^cache_unavailable: /));
  });

  test("is degraded while the cache answers and refuses writes, with the lease and the feeds it still reads", async () => {
    isCacheRefusing = true;
    const document = await status();
    expect(document).toMatchObject({ status: "degraded", checks: { cache: { ok: false }, live_writer: { ok: true } } });
    expect(document.scrapers).toHaveProperty("alpha");
    expect(document.reasons).toEqual([
      expect.stringMatching(/^cache_unavailable: .*refuses writes \(full\)\..*counts limits, quotas and streams for itself/),
    ]);
  });

  test("is degraded while the database does not answer, says what is refused meanwhile, and recovers", async () => {
    const scaled = await startTestApp({ store: { ...store, kind: "postgres" }, live, clock, configuredWriter: "writer-1" });
    expect(await status(scaled)).toMatchObject({ status: "ok", reasons: [] });
    scaled.store.break();
    const { status: overall, reasons } = await status(scaled);
    expect(overall).toBe("degraded");
    expect(reasons).toEqual([expect.stringMatching(/^database_unavailable: .*does not answer \(unreachable\)\..*503/)]);
    scaled.store.recover();
    expect(await status(scaled)).toMatchObject({ status: "ok", reasons: [] });
    await scaled.close();
  });

  test("is degraded while the database refuses writes, as this process or the writer sees it, whatever is read meanwhile", async () => {
    const refused = [expect.stringMatching(/^database_unavailable: .*disk is full.*no new prices/)];
    const full = await startTestApp({
      store: { ...store, refusesWrites: () => true },
      live,
      clock,
      configuredWriter: "writer-1",
    });
    expect(await status(full)).toMatchObject({ status: "degraded", reasons: refused });
    await full.close();
    await report({ alpha: feed() }, { refusesWrites: true });
    expect(await status()).toMatchObject({ status: "degraded", reasons: refused });
    await report({ alpha: feed() });
    expect(await status()).toMatchObject({ status: "ok", reasons: [] });
  });

  test("contains no host, no process and no publisher's figure", async () => {
    const held = await live.lease.current();
    if (held) await live.lease.release(held);
    await live.lease.acquire("db7.internal:4711", MINUTE_MS, 0);
    await report({
      alpha: feed({ consecutiveFailures: 1, lastError: "jump: 4392.0 is 53.11 % from 2868.5, at most 5 %" }),
      extra: feed({ consecutiveFailures: 1, lastError: "http_503" }),
    });
    const json = await status();
    expect(JSON.stringify(json)).not.toMatch(/db7|4711|4392|2868/);
    expect([json.scrapers.alpha.last_error, json.scrapers.extra.last_error]).toEqual(["other", "http_503"]);
    expect(json.checks.live_writer.lease_owner).toMatch(/^[0-9a-f]{12}$/);
  });

  test("lists every priced symbol's staleness, which does not change the overall status", async () => {
    clock.advance(61_000);
    await report({ alpha: feed({ lastSuccessAtMs: clock() }) });
    const json = await status();
    expect(json.status).toBe("ok");
    expect(json.value_staleness["XAU-USD-SPOT"]).toEqual({ is_stale: true, age_seconds: 61, reason: "feed_down" });
    expect(json.value_staleness["XAG-USD-SPOT"]).toEqual({ is_stale: true, age_seconds: null, reason: "feed_down" });
    expect(Object.keys(json.value_staleness)).toEqual(catalogue.priceSymbols.map(({ symbol }) => symbol));
  });
});
