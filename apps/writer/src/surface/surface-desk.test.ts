/** The desk over a real store and real live engines: how chains and books are used, including those that stop arriving. */
import { HOUR_MS, MINUTE_MS } from "@assay/contract";
import { claimFence, readSurfaces, StaleTokenError, type Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { type Live, type MarketEvent, openMemoryLive, readSignals } from "@assay/live";
import type { DigitalMarket, HorizonSurface, Instrument, Observation, SourceInfo, SurfaceInput } from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { EventQueue } from "../moments/event-queue.ts";
import { inProcess } from "../testing/in-process.ts";
import type { Thread } from "../threads/threads.ts";
import { SurfaceDesk } from "./surface-desk.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 15);
const EXPIRES_MS = Date.UTC(2026, 11, 18, 22);

let store: Store;
let live: Live;
let token = 0;
let events: MarketEvent[] = [];
let unsubscribe: () => Promise<void>;
const log = { info: vi.fn(), warn: vi.fn(), fault: vi.fn(), feed: vi.fn(), archives: vi.fn() };
const prices = new Map<Instrument, string>();

beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  live = openMemoryLive({ clock: () => NOW_MS });
  events = [];
  unsubscribe = await live.bus.subscribe((event) => events.push(event));
  await store.run((db) => db.execute("truncate surfaces"));
  prices.clear();
  prices.set("XAU-USD-SPOT", "4003.20");
  log.fault.mockClear();
});
afterEach(async () => {
  await unsubscribe();
  await live.close();
});

const source = (key: string): [string, SourceInfo] => [
  key,
  { key, displayName: key, license: "simulated", role: "primary", intervalMs: MINUTE_MS, freshForMs: 3 * MINUTE_MS },
];

/** A term's desk, with functions to drive it. */
const open = (computer: Thread<SurfaceInput, HorizonSurface[]> = inProcess.surfaces()) => {
  token += 1;
  const writer = { token, holder: "test", expiresAtMs: Number.MAX_SAFE_INTEGER };
  const eventQueue = new EventQueue(live.bus, log);
  const sources = new Map(["pm-a", "pm-b", "opt"].map(source));
  const desk = new SurfaceDesk({
    store,
    live,
    writer,
    eventQueue,
    log,
    sources,
    computer,
    prices: { priceAt: (instrument) => prices.get(instrument) ?? null },
  });
  /** What the writer does every second, until what was started is stored. */
  const flush = async (atMs: number): Promise<void> => {
    await desk.flush(atMs);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    await desk.flush(atMs);
    await eventQueue.send();
  };
  const stored = () => readSurfaces(store, "xau", 0);
  return { desk, flush, stored, writer };
};

const chainOf = (atMs: number, change: (bid: string | null) => string | null = (bid) => bid): Observation => {
  const { spotUsdPerOzt: _, expiries, ...chain } = simulatedOptions("xau", atMs, 1);
  const quoted = expiries.slice(1, 4).map(({ expiresAtMs, quotes }) => ({
    expiresAtMs,
    quotes: quotes.map((quote) => ({ ...quote, bid: change(quote.bid) })),
  }));
  return { kind: "options", source: "opt", chain: { ...chain, expiries: quoted }, observedAtMs: atMs };
};
const booksOf = (atMs: number): Observation => ({
  kind: "markets",
  source: "pm-a",
  markets: simulatedBooks("xau", atMs, 1).filter(
    ({ venue, expiresAtMs }) => venue === "simulated-kalshi" && expiresAtMs > atMs + HOUR_MS,
  ),
  observedAtMs: atMs,
});

/** One market of a venue, with one level on each side. */
const market = (venue: string, bid: string, ask: string, atMs = NOW_MS, more: Partial<DigitalMarket> = {}): Observation => ({
  kind: "markets",
  source: venue,
  observedAtMs: atMs,
  markets: [
    {
      venue,
      marketId: `${venue}-4050`,
      metal: "xau",
      kind: "terminal",
      strike: "4050",
      expiresAtMs: EXPIRES_MS,
      reference: "spot:XAU/USD",
      feeModel: "none",
      volumeUsd: null,
      retrievedAtMs: atMs,
      book: { bids: [{ price: bid, size: "300" }], asks: [{ price: ask, size: "250" }] },
      ...more,
    },
  ],
});

describe("surfaces", () => {
  test("are stored before the first request when there were none, published, and left alone while a new term's venues report again", async () => {
    const first = open();
    first.desk.take([chainOf(NOW_MS), booksOf(NOW_MS)], NOW_MS);
    await first.desk.begin(NOW_MS);
    const surfaces = await first.stored();
    expect(surfaces.length).toBeGreaterThanOrEqual(8);
    expect(surfaces.map(({ method }) => method)).toContain("blend");
    await first.flush(NOW_MS);
    expect(events).toContainEqual({ kind: "surfaces-replaced", metal: "xau" });
    await first.desk.end();

    const compute = vi.fn(async (): Promise<HorizonSurface[]> => []);
    const second = open({ ask: compute, close: async () => {} });
    second.desk.take([chainOf(NOW_MS)], NOW_MS);
    await second.desk.begin(NOW_MS + MINUTE_MS);
    expect(compute).not.toHaveBeenCalled();
    const laterMs = NOW_MS + 100_000;
    second.desk.take([booksOf(laterMs)], laterMs);
    await second.flush(laterMs);
    expect(compute, "a minute is not over").not.toHaveBeenCalled();
    await second.flush(NOW_MS + 2 * MINUTE_MS);
    expect(compute).toHaveBeenCalledOnce();
    expect(await second.stored()).toEqual(surfaces);
  });

  test("of one metal do not wait for another that has no price", async () => {
    const compute = vi.fn(async (_input: SurfaceInput): Promise<HorizonSurface[]> => []);
    const { desk, flush } = open({ ask: compute, close: async () => {} });
    await desk.begin(NOW_MS);
    const silver = market("pm-b", "0.30", "0.32", NOW_MS, { metal: "xag" });
    desk.take([silver, market("pm-a", "0.30", "0.32")], NOW_MS);
    await flush(NOW_MS);
    expect(compute.mock.calls.map(([input]) => input.metal)).toEqual(["xau"]);
    desk.take([silver, market("pm-a", "0.31", "0.33", NOW_MS + MINUTE_MS)], NOW_MS + MINUTE_MS);
    await flush(NOW_MS + MINUTE_MS);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  test("are recomputed when something changed, once a minute at most, with the current spot price", async () => {
    const { desk, flush, stored } = open();
    desk.take([chainOf(NOW_MS)], NOW_MS);
    await desk.begin(NOW_MS);
    const computedMs = async () => (await stored()).map(({ computedAtMs }) => (computedAtMs - NOW_MS) / 1_000)[0];
    await flush(NOW_MS + 2 * MINUTE_MS);
    expect(await computedMs(), "nothing changed").toBe(0);
    prices.set("XAU-USD-SPOT", "4007.77");
    desk.take([chainOf(NOW_MS + 130_000)], NOW_MS + 130_000);
    await flush(NOW_MS + 130_000);
    expect(await computedMs()).toBe(130);
    expect((await stored())[0]?.spotUsd).toBe("4007.77");
    desk.take([chainOf(NOW_MS + 140_000)], NOW_MS + 140_000);
    await flush(NOW_MS + 180_000);
    expect(await computedMs(), "a minute is not over").toBe(130);
    await flush(NOW_MS + 190_000);
    expect(await computedMs()).toBe(190);
  });

  test("of an overnight chain without two-sided quotes do not exist, or are those stored before", async () => {
    const bare = open();
    bare.desk.take([chainOf(NOW_MS, () => null)], NOW_MS);
    await bare.desk.begin(NOW_MS);
    await bare.flush(NOW_MS);
    expect(await bare.stored()).toEqual([]);
    bare.desk.take([chainOf(NOW_MS + MINUTE_MS)], NOW_MS + MINUTE_MS);
    await bare.flush(NOW_MS + MINUTE_MS);
    const day = await bare.stored();
    expect(day).toHaveLength(3);
    for (const [hours, bid] of [
      [8, () => "0"],
      [9, () => null],
    ] as const) {
      bare.desk.take([chainOf(NOW_MS + hours * HOUR_MS, bid)], NOW_MS + hours * HOUR_MS);
      await bare.flush(NOW_MS + hours * HOUR_MS);
      expect(await bare.stored()).toEqual(day);
    }
  });

  test("of a venue that stopped keep their old snapshot, while others continue without it", async () => {
    const { desk, flush, stored } = open();
    desk.take([chainOf(NOW_MS), booksOf(NOW_MS)], NOW_MS);
    await desk.begin(NOW_MS);
    const before = await stored();
    const laterMs = NOW_MS + 3 * HOUR_MS;
    desk.take([booksOf(laterMs)], laterMs);
    await flush(laterMs);
    for (const surface of await stored()) {
      const old = before.find(({ horizon }) => horizon === surface.horizon);
      const hasBooks = surface.venues.some(({ type }) => type === "prediction_market");
      expect(surface.retrievedAtMs).toBe(hasBooks ? laterMs : old?.retrievedAtMs);
      if (hasBooks) expect(surface.method).toBe("isotonic_ladder");
    }
    expect((await stored()).length).toBe(before.length);
  });

  test("are retried after the computer failed, and readers keep what they had", async () => {
    let fails = true;
    const honest = inProcess.surfaces();
    const computer: Thread<SurfaceInput, HorizonSurface[]> = {
      ...honest,
      ask: (input) => (fails ? Promise.reject(new Error("hung")) : honest.ask(input)),
    };
    const { desk, flush, stored } = open(computer);
    desk.take([chainOf(NOW_MS)], NOW_MS);
    await desk.begin(NOW_MS);
    expect(log.fault).toHaveBeenCalledOnce();
    expect(await stored()).toEqual([]);
    fails = false;
    await flush(NOW_MS + MINUTE_MS);
    expect(await stored()).toHaveLength(3);
  });

  test("are not stored by a writer that a newer one has replaced", async () => {
    const { desk, flush, stored, writer } = open();
    await desk.begin(NOW_MS);
    token += 1;
    await claimFence(store, token, "other");
    expect(token).toBeGreaterThan(writer.token);
    desk.take([chainOf(NOW_MS)], NOW_MS);
    await expect(flush(NOW_MS)).rejects.toThrow(StaleTokenError);
    expect(await stored()).toEqual([]);
  });

  test("convert strikes settled by the futures price to spot, at an assumed rate while that has no price", async () => {
    const { markets, ...rest } = booksOf(NOW_MS) as Extract<Observation, { kind: "markets" }>; // its own kind, from the line above
    const ofFuture: Observation = { ...rest, markets: markets.map((one) => ({ ...one, reference: "cme:GC" })) };
    const medianOf = async (reading: Observation): Promise<{ median: number; flags: readonly string[] }> => {
      await store.run((db) => db.execute("truncate surfaces"));
      const { desk, stored } = open();
      desk.take([reading], NOW_MS);
      await desk.begin(NOW_MS);
      const [first] = await stored();
      return { median: Number(first?.percentiles.p50), flags: first?.flags ?? [] };
    };
    const onSpot = await medianOf(booksOf(NOW_MS));
    const byRate = await medianOf(ofFuture);
    // The nearest market ends on 20 November at 21:00, when GCZ26 is the front, until 29 December.
    expect(onSpot.median / byRate.median).toBeCloseTo(Math.exp((0.04 * 38.125) / 365), 4);
    expect(byRate.flags).toContain("basis_from_rate");
    prices.set("XAU-USD-FUTURES", "4043.232");
    const byPrice = await medianOf(ofFuture);
    // The future is at 1.01 times spot.
    expect(onSpot.median / byPrice.median).toBeCloseTo(1.01, 4);
    expect(byPrice.flags).not.toContain("basis_from_rate");
  });
});

describe("signals", () => {
  const signals = async () => (await readSignals(live.latest, "xau"))?.signals;

  test("are exactly the edge that exists, under one id and since one instant, until its books part", async () => {
    const { desk, flush } = open();
    await desk.begin(NOW_MS);
    await flush(NOW_MS);
    expect(await signals()).toEqual([]);
    desk.take([market("pm-a", "0.38", "0.40"), market("pm-b", "0.46", "0.48")], NOW_MS);
    await flush(NOW_MS + 1_000);
    const [edge, ...others] = (await signals()) ?? [];
    expect(others).toEqual([]);
    expect(edge).toMatchObject({
      type: "digital",
      horizonTarget: "2026-12-18",
      netEdgeBps: 600,
      executableSizeUsd: "250.00",
      detectedAtMs: NOW_MS,
      buy: { venue: "pm-a", price: "0.4" },
      sell: { venue: "pm-b", price: "0.46" },
    });
    desk.take([market("pm-b", "0.45", "0.48", NOW_MS + MINUTE_MS)], NOW_MS + MINUTE_MS);
    await flush(NOW_MS + MINUTE_MS);
    expect(await signals()).toMatchObject([{ id: edge?.id, detectedAtMs: NOW_MS, netEdgeBps: 500 }]);
    desk.take([market("pm-b", "0.39", "0.48", NOW_MS + 2 * MINUTE_MS)], NOW_MS + 2 * MINUTE_MS);
    await flush(NOW_MS + 2 * MINUTE_MS);
    expect(await signals()).toEqual([]);
    const published = events.flatMap((event) =>
      event.kind === "signals" && event.metal === "xau" ? [event.signals.length] : [],
    );
    expect(published).toEqual([0, 1, 1, 0]);
  });

  test.each(["spot:XAU/USD", "cme:GC-settlement"])(
    "of markets settled by %s remain while spot is not quoted",
    async (reference) => {
      prices.clear();
      const { desk, flush } = open();
      await desk.begin(NOW_MS);
      const of = (venue: string, bid: string, ask: string) => market(venue, bid, ask, NOW_MS, { reference });
      desk.take([of("pm-a", "0.38", "0.40"), of("pm-b", "0.46", "0.48")], NOW_MS);
      await flush(NOW_MS);
      expect(await signals()).toMatchObject([{ netEdgeBps: 600, executableSizeUsd: "250.00" }]);
    },
  );

  test("end with the books they rest on, and with their day", async () => {
    const { desk, flush } = open();
    await desk.begin(NOW_MS);
    desk.take([market("pm-a", "0.38", "0.40"), market("pm-b", "0.46", "0.48")], NOW_MS);
    await flush(NOW_MS + 179_000);
    expect(await signals()).toHaveLength(1);
    await flush(NOW_MS + 3 * MINUTE_MS);
    expect(await signals(), "books are fresh for three minutes").toEqual([]);
    const lastMs = EXPIRES_MS - 1_000;
    desk.take([market("pm-a", "0.38", "0.40", lastMs), market("pm-b", "0.46", "0.48", lastMs)], lastMs);
    await flush(lastMs);
    expect(await signals()).toHaveLength(1);
    await flush(EXPIRES_MS);
    expect(await signals()).toEqual([]);
  });

  test("rest on no book that was read too long ago, however fresh its venue's other books are", async () => {
    const { desk, flush } = open();
    await desk.begin(NOW_MS);
    const old = market("pm-b", "0.40", "0.42", NOW_MS - 3 * HOUR_MS);
    const fresh = market("pm-b", "0.10", "0.90", NOW_MS, { marketId: "another", expiresAtMs: EXPIRES_MS + 24 * HOUR_MS });
    const recent = market("pm-b", "0.40", "0.42", NOW_MS);
    if (old.kind !== "markets" || fresh.kind !== "markets" || recent.kind !== "markets") throw new Error("both are markets");
    desk.take([market("pm-a", "0.28", "0.30"), { ...fresh, markets: [...old.markets, ...fresh.markets] }], NOW_MS);
    await flush(NOW_MS);
    expect(await signals()).toEqual([]);
    desk.take([{ ...fresh, markets: [...fresh.markets, ...recent.markets], observedAtMs: NOW_MS + 1_000 }], NOW_MS + 1_000);
    await flush(NOW_MS + 1_000);
    expect(await signals(), "a fresh book of the same prices").toHaveLength(1);
  });

  test("are republished while they last, and keep their instant over a change of writers", async () => {
    const first = open();
    await first.desk.begin(NOW_MS);
    first.desk.take([market("pm-a", "0.38", "0.40"), market("pm-b", "0.46", "0.48")], NOW_MS);
    await first.flush(NOW_MS);
    await first.flush(NOW_MS + 29_000);
    const published = () => events.filter((event) => event.kind === "signals" && event.metal === "xau").length;
    expect(published()).toBe(1);
    await first.flush(NOW_MS + 30_000);
    expect(published()).toBe(2);
    const second = open();
    await second.desk.begin(NOW_MS + MINUTE_MS);
    const atMs = NOW_MS + MINUTE_MS;
    second.desk.take([market("pm-a", "0.38", "0.40", atMs), market("pm-b", "0.46", "0.48", atMs)], atMs);
    await second.flush(atMs);
    expect(await signals()).toMatchObject([{ detectedAtMs: NOW_MS }]);
  });

  test("keep their instant even if the new writer receives its venues one by one, and no longer than these take", async () => {
    const first = open();
    await first.desk.begin(NOW_MS);
    first.desk.take([market("pm-a", "0.38", "0.40"), market("pm-b", "0.46", "0.48")], NOW_MS);
    await first.flush(NOW_MS);
    const second = open();
    await second.desk.begin(NOW_MS + 1_000);
    await second.flush(NOW_MS + 1_000);
    expect(await signals()).toEqual([]);
    second.desk.take([market("pm-a", "0.38", "0.40", NOW_MS + 2_000)], NOW_MS + 2_000);
    await second.flush(NOW_MS + 2_000);
    second.desk.take([market("pm-b", "0.46", "0.48", NOW_MS + 3_000)], NOW_MS + 3_000);
    await second.flush(NOW_MS + 3_000);
    expect(await signals()).toMatchObject([{ detectedAtMs: NOW_MS }]);
    const laterMs = NOW_MS + 5 * MINUTE_MS;
    await second.flush(laterMs);
    expect(await signals()).toEqual([]);
    second.desk.take([market("pm-a", "0.38", "0.40", laterMs), market("pm-b", "0.46", "0.48", laterMs)], laterMs);
    await second.flush(laterMs);
    expect(await signals()).toMatchObject([{ detectedAtMs: laterMs }]);
  });
});

test("a reading from the future is refused", () => {
  const { desk } = open();
  expect(desk.judge(market("pm-a", "0.38", "0.40", NOW_MS + 61_000), NOW_MS)).toMatchObject({ ok: false, rule: "clock_skew" });
  expect(desk.judge(market("pm-a", "0.38", "0.40", NOW_MS + 59_000), NOW_MS)).toEqual({ ok: true });
});
