/**
 * What was published is answered again: a market runs in this process, with a feed that falls silent, rates that come and go and a
 * writer that is replaced; every row that callers saw is asked for again by its instant.
 */
import { DEFAULT_CATALOG, type SpotAnswer, TIER_REACH, type TierName } from "@assay/contract";
import { claimFence, prune, readFxTables, readLastSeqs, readNewestTicks, readRateSetsSince, type Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import type { FxObservation, PriceObservation, SourceInfo } from "@assay/pricing";
import { createVerbs, MarketView, type ServiceDeps } from "@assay/services";
import { BarKeeper, COMPOSED, EventQueue, MarketDesk, MomentWriter } from "@assay/writer/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const SECONDS = 1_320;
/** Rows are asked for this often, in seconds; every second it is ten thousand, which agree as well. */
const EVERY = 8;
const ROWS = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Before the daily reference of that day is published. */
const START_MS = Date.parse("2026-11-19T14:40:00Z");
const SYMBOLS = ["XAU-USD-SPOT", "XAU-EUR-SPOT", "XAU-JPY-SPOT", "XAU-BGN-SPOT", "XAU-HKD-SPOT", "XAU-CHF-SPOT"];
const GOLD = "XAU-USD-SPOT";

const primary: SourceInfo = {
  ...{ key: "a", displayName: "a", license: "simulated", role: "primary", intervalMs: 20_000, freshForMs: MINUTE_MS },
  instruments: [GOLD],
};
const SOURCES = new Map([["a", primary]]);

/** A seeded walk: the same in every run. */
const random = (() => {
  let state = 20_261_119;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
})();

const live = (atMs: number): FxObservation => ({
  ...{ kind: "fx", source: "live-fx", role: "live", base: "USD", observedAtMs: atMs, freshForMs: 40 * SECOND_MS },
  // Not every table has every currency, and one is refused.
  rates: {
    ...(random(3) > 0 && { EUR: `0.86${random(9_999)}1` }),
    ...(random(3) > 0 && { JPY: `157.${random(999)}7` }),
    HKD: random(4) > 0 ? `7.78${random(99)}1` : "9.1",
  },
});
const ecb = (day: string, usd: string): FxObservation => ({
  ...{ kind: "fx", source: "ecb", role: "reference", base: "EUR", observedAtMs: Date.parse(day), freshForMs: 450_000_000 },
  rates: { USD: usd, JPY: "181.33", CHF: "0.9313", HKD: "9.0077", GBP: "0.87" },
});

/** What arrives at a second; nothing for a minute and a half in every ten. */
const readings = (second: number): PriceObservation[] => {
  const atMs = START_MS + second * SECOND_MS;
  const isSilent = second % 600 > 500;
  const bid = 4_000 + random(2_000) / 100;
  const quote = { bid: bid.toFixed(2), ask: (bid + 0.31).toFixed(2), price: (bid + 0.155).toFixed(3) };
  return [
    ...(isSilent || random(4) === 0
      ? []
      : [{ kind: "spot", source: "a", instrument: GOLD, ...quote, observedAtMs: atMs } as const]),
    ...(second % 17 === 3 && !isSilent ? [live(atMs)] : []),
    ...(second === 1_205 ? [ecb("2026-11-19", "1.1602")] : []),
  ];
};

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const context = (nowMs: number, tier: TierName = "pro") => ({
  caller: { tier, reach: TIER_REACH[tier], key: { orgId: "org" }, ip: "127.0.0.1" },
  nowMs,
  asOfMs: nowMs - TIER_REACH[tier].delayMs,
  requestId: "test",
  isReceipt: true,
  idempotencyKey: undefined,
  fail: (code: string, detail: unknown) => {
    throw new Error(`${code} ${JSON.stringify(detail)}`);
  },
});

/** Asks `GET /v1/spot/{symbol}`. */
type Ask = (symbol: string, nowMs: number, tier?: TierName, at?: string) => Promise<SpotAnswer>;

const asking = (market: MarketView): Ask => {
  const deps = { store, market, catalog: DEFAULT_CATALOG, live: openMemoryLive({ clock: () => 0 }), disabled: new Set() };
  // The verb of this one route uses no more of the engines.
  const verbs = createVerbs(deps as unknown as ServiceDeps, { cursorSecret: "x" } as never);
  return async (symbol, nowMs, tier, at) => {
    const input = at === undefined ? { symbol } : { symbol, at };
    const answer = await verbs.spot.get(input as never, context(nowMs, tier) as never);
    return "body" in answer ? JSON.parse(String(answer.body)) : answer;
  };
};

test("whatever was shown at an instant is answered for it again, to the last digit", { timeout: 600_000 }, async () => {
  let nowMs = START_MS;
  const engines = openMemoryLive({ clock: () => nowMs });
  const market = new MarketView({ store, keepsHours: true });
  await market.load(nowMs);
  await engines.bus.subscribe((event) => market.apply(event));
  const log = {
    info: () => undefined,
    warn: () => undefined,
    fault: () => undefined,
    feed: () => undefined,
    archives: () => undefined,
  };
  const lead = async (token: number) => {
    await claimFence(store, token, "writer");
    const bars = new BarKeeper(COMPOSED);
    const [seqs, fx, rateSets, newest] = await Promise.all([
      readLastSeqs(store),
      readFxTables(store, nowMs - 30 * MINUTE_MS),
      readRateSetsSince(store, nowMs - 30 * MINUTE_MS),
      readNewestTicks(store),
    ]);
    const desk = new MarketDesk({ sources: SOURCES, bars, seqs, ticks: newest, fx, rateSets, isOpen: () => true });
    const writer = { token, holder: "writer", expiresAtMs: Number.POSITIVE_INFINITY };
    const moments = new MomentWriter({ store, writer, eventQueue: new EventQueue(engines.bus, log), bars, clock: () => nowMs });
    await moments.begin(nowMs);
    return { desk, moments };
  };
  let term = await lead(1);
  const ask = asking(market);
  const shown: { readonly symbol: string; readonly tier: TierName; readonly asOfMs: number; readonly row: SpotAnswer }[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    nowMs = START_MS + second * SECOND_MS;
    if (second % 700 === 699) term = await lead(2 + Math.floor(second / 700));
    const arrived = [...(second === 0 ? [ecb("2026-11-18", "1.1571")] : []), ...readings(second)];
    term.moments.add(term.desk.take(arrived, nowMs));
    await term.moments.write(nowMs);
    if (second < 3 || second % EVERY > 0) continue;
    for (let row = 0; row < ROWS; row += 1) {
      const symbol = SYMBOLS[random(SYMBOLS.length)] ?? GOLD;
      const tier: TierName = second > 960 && random(3) === 0 ? "free" : "pro";
      const asOfMs = nowMs - TIER_REACH[tier].delayMs;
      shown.push({ symbol, tier, asOfMs, row: await ask(symbol, nowMs, tier) });
    }
  }
  await prune(store, nowMs, 720 * 60 * MINUTE_MS);
  const restarted = new MarketView({ store, keepsHours: true });
  await restarted.load(nowMs);
  const again = asking(restarted);
  const different: unknown[] = [];
  for (const { symbol, tier, asOfMs, row } of shown) {
    const { as_of: _, basis, fx_date: __, ...then } = await again(symbol, nowMs, "pro", new Date(asOfMs).toISOString());
    if (basis !== "tick" || JSON.stringify(then) !== JSON.stringify(row)) different.push({ symbol, tier, row, basis, then });
  }
  expect(different).toEqual([]);
  const seen = new Set(shown.map(({ row }) => row.stale_reason ?? "fresh"));
  expect([...seen].sort()).toEqual(["feed_down", "fresh", "fx_fallback"]);
  const roles = new Set(shown.map(({ row }) => row.fx_role));
  expect(roles).toEqual(new Set([undefined, "live", "reference"]));
  expect(shown.length).toBeGreaterThan(490);
});
