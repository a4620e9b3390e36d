import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { type Store, writeMoment } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import type { MarketEvent } from "@assay/live";
import { type BarRow, type FxObservation, type RateSet, type Tick, unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closedBar } from "../testing/closed-bar.ts";
import { goldSettlement, goldTick as tick } from "../testing/rows.ts";
import { MarketView } from "./market-view.ts";

const START_MS = Date.UTC(2026, 10, 20, 14);
const WRITER = { token: 1, holder: "writer" };

let store: Store;
beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());

const rates = (eur: string, observedAtMs: number): FxObservation => ({
  kind: "fx",
  source: "live-fx",
  role: "live",
  base: "USD",
  rates: { EUR: eur },
  observedAtMs,
  freshForMs: 3 * MINUTE_MS,
});

const moment = (ticks: Tick[], fx: FxObservation[] = []): MarketEvent & { kind: "moment" } => ({
  kind: "moment",
  token: 1,
  atMs: ticks.at(-1)?.computedAtMs ?? fx.at(-1)?.observedAtMs ?? START_MS,
  ticks,
  bars: [],
  fx,
});

const rateSet = (id: number, eur: string, beganAtMs: number): RateSet => ({
  id,
  beganAtMs,
  origins: [{ source: "live-fx", role: "live", atMs: beganAtMs, freshUntilMs: beganAtMs + 3 * MINUTE_MS }],
  rates: { EUR: [eur, 0] },
});

describe("a price in a currency", () => {
  const symbol = { instrument: "XAU-USD-SPOT", currency: "EUR" } as const;
  const atMs = START_MS + 400 * DAY_MS;
  let own: Store;
  beforeAll(async () => {
    own = await openEmbeddedStore();
  });
  afterAll(() => own.close());

  test("has the rate of its tick, late callers the older one, whatever rates arrive, until the next tick; also after a restart", async () => {
    const events = [
      { ...moment([{ ...tick(901, atMs), rateSet: 1 }], [rates("0.81", atMs)]), rateSets: [rateSet(1, "0.81", atMs)] },
      {
        ...moment([{ ...tick(902, atMs + MINUTE_MS), rateSet: 2 }]),
        rateSets: [rateSet(2, "0.82", atMs + MINUTE_MS)],
      },
      moment([], [rates("0.83", atMs + 2 * MINUTE_MS)]),
    ];
    const view = new MarketView({ store: own, keepsHours: false });
    for (const event of events) {
      await writeMoment(own, WRITER, event);
      view.apply(event);
    }
    const restarted = new MarketView({ store: own, keepsHours: false });
    await restarted.load(atMs + 3 * MINUTE_MS);
    for (const each of [view, restarted]) {
      const rateAt = (ms: number) => each.standingOf(symbol, ms).rate;
      expect(rateAt(atMs + MINUTE_MS - 1)?.rate.toFixed()).toBe("0.81");
      expect(rateAt(atMs + 3 * MINUTE_MS)).toMatchObject({ source: "live-fx", role: "live", observedAtMs: atMs + MINUTE_MS });
      expect(rateAt(atMs + 3 * MINUTE_MS)?.rate.toFixed()).toBe("0.82");
      expect(each.fxRate("EUR", atMs + 3 * MINUTE_MS)?.rate.toFixed(), "for what has no metal in it").toBe("0.83");
    }
  });

  test("beside a last close is the reference that had been published by then, as long as the market is closed", async () => {
    const closedMs = Date.UTC(2026, 10, 20, 22);
    const view = new MarketView({ store: own, keepsHours: true });
    const close = closedBar("XAU-USD-SPOT", "1m", closedMs - MINUTE_MS, { close: "4010" });
    const ecb = (day: string, usd: string): FxObservation => ({
      ...rates("", Date.parse(day)),
      ...{ source: "ecb", role: "reference", base: "EUR", freshForMs: 6 * DAY_MS, rates: { USD: usd } },
    });
    view.apply({ ...moment([], [ecb("2026-11-19", "1.25"), ecb("2026-11-20", "1.28")]), bars: [close], atMs: closedMs });
    const seen = [1, 30].map((hours) => {
      const nowMs = closedMs + hours * 60 * MINUTE_MS;
      view.apply({ ...moment([], [rates(`0.9${hours}`, nowMs)]), atMs: nowMs });
      const { price, rate, stale } = view.standingOf(symbol, nowMs);
      return [price?.price, rate?.rate.toFixed(), rate?.source, stale];
    });
    const standing = ["4010", "0.78125", "ecb", { isStale: true, reason: "market_closed" }];
    expect(seen).toEqual([standing, standing]);
  });
});

describe("the view of the market", () => {
  test("is the same after a restart, prices and rates of the last quarter of an hour included", async () => {
    const view = new MarketView({ store, keepsHours: true });
    for (let minute = 0; minute <= 20; minute += 1) {
      const atMs = START_MS + minute * MINUTE_MS;
      const event = moment([tick(minute + 1, atMs)], [rates(`0.8${String(minute).padStart(2, "0")}`, atMs)]);
      await writeMoment(store, WRITER, event);
      view.apply(event);
    }
    const nowMs = START_MS + 20 * MINUTE_MS;
    const restarted = new MarketView({ store, keepsHours: true });
    await restarted.load(nowMs);
    for (let back = 0; back <= 15; back += 1) {
      const atMs = nowMs - back * MINUTE_MS;
      expect(restarted.tickAt("XAU-USD-SPOT", atMs)).toEqual(view.tickAt("XAU-USD-SPOT", atMs));
      expect(restarted.fxRate("EUR", atMs)?.rate.toFixed()).toBe(view.fxRate("EUR", atMs)?.rate.toFixed());
    }
    expect(restarted.newestTicks().map(({ seq }) => seq)).toEqual([21]);
  });

  test("never has rates of 1999, even if it was loaded while a history was being stored, and has the newest once notified", async () => {
    const reference = (observedAtMs: number, usd: string): FxObservation => ({
      ...rates("", observedAtMs),
      source: "ecb",
      role: "reference",
      base: "EUR",
      rates: { USD: usd },
      freshForMs: 5 * DAY_MS,
    });
    const first = Array.from({ length: 250 }, (_, day) => reference(Date.UTC(1999, 0, 4) + day * DAY_MS, "1.0500"));
    await writeMoment(store, WRITER, moment([], first));
    const nowMs = START_MS + 30 * DAY_MS;
    const view = new MarketView({ store, keepsHours: true });
    await view.load(nowMs);
    expect(view.fxRate("EUR", nowMs)).toBeNull();
    view.apply({ ...moment([], [reference(nowMs - DAY_MS, "1.25")]), atMs: nowMs });
    expect(view.fxRate("EUR", nowMs)?.rate.toFixed()).toBe("0.8");
  });

  test("refuses an inverted rate at every instant, and the same after a restart", async () => {
    const nowMs = START_MS + 60 * DAY_MS;
    const view = new MarketView({ store, keepsHours: true });
    await view.load(nowMs - 20 * MINUTE_MS);
    const tables: FxObservation[] = Array.from({ length: 20 }, (_, minute) =>
      rates(minute % 3 === 0 ? "0.81" : "1.25", nowMs - (19 - minute) * MINUTE_MS),
    );
    const ecb = { source: "ecb", role: "reference", base: "EUR", freshForMs: 5 * DAY_MS } as const;
    tables.splice(12, 0, { ...rates("", nowMs - 3 * DAY_MS), ...ecb, rates: { USD: "1.25", JPY: "200" } });
    tables.splice(13, 0, { ...rates("", nowMs - DAY_MS), ...ecb, rates: { USD: "1.25" } });
    for (const table of tables) {
      const event = { ...moment([], [table]), atMs: Math.max(table.observedAtMs, nowMs - 10 * MINUTE_MS) };
      await writeMoment(store, WRITER, event);
      view.apply(event);
    }
    const restarted = new MarketView({ store, keepsHours: true });
    await restarted.load(nowMs);
    for (let back = 0; back <= 15; back += 1) {
      const atMs = nowMs - back * MINUTE_MS;
      for (const each of [view, restarted]) {
        expect(["0.81", "0.8"]).toContain(each.fxRate("EUR", atMs)?.rate.toFixed());
        expect(each.fxRate("JPY", atMs)?.rate.toFixed()).toBe("160");
      }
      expect(restarted.fxRate("EUR", atMs)).toEqual(view.fxRate("EUR", atMs));
    }
  });

  test("has every tick after missed events, including those published meanwhile, so that the delayed price is right", async () => {
    const nowMs = START_MS + 40 * MINUTE_MS;
    const view = new MarketView({ store, keepsHours: true });
    await view.load(START_MS + 20 * MINUTE_MS);
    const [missed, published] = [moment([tick(30, nowMs - 10 * MINUTE_MS)]), moment([tick(31, nowMs)])];
    await writeMoment(store, WRITER, missed);
    const refreshed = view.refresh(nowMs);
    view.apply(published);
    await refreshed;
    await writeMoment(store, WRITER, published);
    expect(view.tickAt("XAU-USD-SPOT", nowMs)?.seq).toBe(31);
    expect(view.tickAt("XAU-USD-SPOT", nowMs - MINUTE_MS)?.seq).toBe(30);
    expect(view.tickAt("XAU-USD-SPOT", nowMs - 11 * MINUTE_MS)?.seq).toBe(21);
  });

  test("shows no close made of hidden ticks once the market has closed, but the last one before them and any imported", async () => {
    const closedMs = Date.UTC(2026, 10, 20, 22);
    const [runMs, atMs] = [closedMs - 10 * MINUTE_MS, closedMs + 2 * 3_600_000];
    const view = new MarketView({ store, keepsHours: true });
    const bar = (barStartMs: number, close: string, change: Partial<BarRow> = {}) =>
      closedBar("XAU-USD-SPOT", "1m", barStartMs, { close, ...change });
    const bars = [
      bar(runMs - MINUTE_MS, "4392.5"),
      bar(closedMs - MINUTE_MS, "43920.00"),
      bar(closedMs - 3_600_000, "43920.00", { interval: "1h" }),
    ];
    view.apply({ ...moment([{ ...tick(900, runMs), price: "43920.00" }]), bars });
    const probation = { fromSeq: 900, fromMs: runMs, by: ["a"], untilMs: null, bars: [] };
    view.apply({ ...moment([]), atMs, beliefs: [{ ...unknownBelief("XAU-USD-SPOT"), probation, hidden: true }] });
    expect(view.priceAt("XAU-USD-SPOT", atMs)).toMatchObject({ basis: "close", price: "4392.5", computedAtMs: runMs });
    expect(view.priceAt("XAU-USD-SPOT", closedMs - 1)).toBeNull();
    view.apply({ ...moment([]), bars: [bar(closedMs - 5 * MINUTE_MS, "4391", { interval: "5m", sourceId: "import:file" })] });
    expect(view.priceAt("XAU-USD-SPOT", atMs)).toMatchObject({ basis: "close", price: "4391", computedAtMs: closedMs });
  });

  test("has no settlement of a day on which the exchange does not settle", () => {
    const view = new MarketView({ store, keepsHours: true });
    const thursday = goldSettlement("GCZ26", "2026-11-19", "4010.50", { observedAtMs: START_MS });
    const saturday = { ...thursday, settlementDate: "2026-11-21", price: "9999.00" };
    view.apply({ ...moment([]), settlements: [thursday, saturday] });
    expect(view.settlements.newestAt(thursday.futuresContract, START_MS + 10 * DAY_MS)).toEqual(thursday);
  });

  test("has a new version after each change of a rate, and the same one after a tick", () => {
    const view = new MarketView({ store, keepsHours: true });
    const before = view.version;
    view.apply(moment([tick(1, START_MS)]));
    expect(view.version).toBe(before);
    view.apply(moment([], [rates("0.9", START_MS)]));
    expect(view.version).toBeGreaterThan(before);
  });

  test("is always open when the market keeps no hours", () => {
    const saturdayMs = Date.UTC(2026, 10, 21, 12);
    expect(new MarketView({ store, keepsHours: false }).isOpen(saturdayMs)).toBe(true);
    expect(new MarketView({ store, keepsHours: false }).nextChangeMs(saturdayMs)).toBeNull();
    expect(new MarketView({ store, keepsHours: true }).isOpen(saturdayMs)).toBe(false);
    expect(new MarketView({ store, keepsHours: true }).nextChangeMs(saturdayMs)).toBe(Date.UTC(2026, 10, 22, 23));
  });
});
