/** Rows and status agree: for every symbol, in every state of the market, its sources, rates and settlements. */
import { type AssayContract, DAY_MS, DEFAULT_CATALOG, HOUR_MS, MINUTE_MS, type OutputOf, TIER_REACH } from "@assay/contract";
import type { Store } from "@assay/db";
import { type Live, openMemoryLive } from "@assay/live";
import {
  type BarRow,
  barSymbolOf,
  type FxObservation,
  INSTRUMENTS,
  PRICE_SYMBOLS,
  type PriceSymbol,
  type SettlementRow,
  type Tick,
} from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MarketView } from "../market/market-view.ts";
import { status } from "../routes/system.ts";
import { closedBar } from "../testing/closed-bar.ts";
import { goldSettlement, goldTick } from "../testing/rows.ts";
import { verbContext } from "../testing/verb-context.ts";
import { presentRow } from "./present-row.ts";

const at = (text: string): number => Date.parse(text);

/** Instants, whether the market is open then, and when it last closed. */
const INSTANTS = [
  { name: "2026-11-20T14:00:00Z", atMs: at("2026-11-20T14:00:00Z"), isOpen: true, closedAtMs: at("2026-11-19T22:00:00Z") },
  { name: "2026-11-19T22:30:00Z", atMs: at("2026-11-19T22:30:00Z"), isOpen: false, closedAtMs: at("2026-11-19T22:00:00Z") },
  { name: "2026-11-20T22:00:00Z", atMs: at("2026-11-20T22:00:00Z"), isOpen: false, closedAtMs: at("2026-11-20T22:00:00Z") },
  { name: "2026-11-22T22:59:59Z", atMs: at("2026-11-22T22:59:59Z"), isOpen: false, closedAtMs: at("2026-11-20T22:00:00Z") },
  { name: "2026-11-22T23:00:00Z", atMs: at("2026-11-22T23:00:00Z"), isOpen: true, closedAtMs: at("2026-11-20T22:00:00Z") },
] as const;
/** Callers by the instant they see: now, or 15 minutes ago. */
const REACHES = [TIER_REACH.pro, TIER_REACH.free] as const;
const ALL = { sources: true, parts: true, karat: true, stats: true };
const TICKS = ["none", "fresh", "stale"] as const;
/** In step: a row has need of a rate or of settlements, never of both. */
const RATES_AND_SETTLEMENTS = [
  { rate: "none", settlement: "none" },
  { rate: "live", settlement: "fresh" },
  { rate: "stale live", settlement: "overdue" },
  { rate: "reference", settlement: "none" },
] as const;
const CLOSES = ["none", "known"] as const;

interface State {
  readonly instant: (typeof INSTANTS)[number];
  readonly tick: (typeof TICKS)[number];
  readonly rate: (typeof RATES_AND_SETTLEMENTS)[number]["rate"];
  readonly settlement: (typeof RATES_AND_SETTLEMENTS)[number]["settlement"];
  readonly close: (typeof CLOSES)[number];
}

const STATES: readonly State[] = INSTANTS.flatMap((instant) =>
  TICKS.flatMap((tick) => RATES_AND_SETTLEMENTS.flatMap((known) => CLOSES.map((close) => ({ instant, tick, ...known, close })))),
);

const tickOf = (instrument: Tick["instrument"], computedAtMs: number, freshUntilMs: number): Tick =>
  goldTick(1, computedAtMs, { instrument, price: "100.00", freshUntilMs });

const tableOf = (role: FxObservation["role"], observedAtMs: number, freshForMs: number): FxObservation => {
  const codes = PRICE_SYMBOLS.map(({ currency }) => currency).filter((currency) => currency !== "USD" && currency !== "BGN");
  const rates = Object.fromEntries(codes.map((currency) => [currency, "2"]));
  return { kind: "fx", source: role, role, base: "USD", rates, observedAtMs, freshForMs };
};

const settlementOf = (symbol: SettlementRow["symbol"], settlementDate: string): SettlementRow =>
  goldSettlement(`${symbol}Z26`, settlementDate, "90.00", { symbol, observedAtMs: at(`${settlementDate}T18:30:00Z`) });

/** A market in a given state, as events would have made it; the store is never queried. */
const marketIn = ({ instant: { atMs, closedAtMs }, tick, rate, settlement, close }: State): MarketView => {
  const market = new MarketView({ store: null as unknown as Store, keepsHours: true }); // nothing is loaded
  const ticks = tick === "none" ? [] : INSTRUMENTS.map((name) => tickOf(name, atMs, tick === "fresh" ? atMs : atMs - 1));
  const fx =
    rate === "none"
      ? []
      : [tableOf(rate === "reference" ? rate : "live", atMs - HOUR_MS, rate === "stale live" ? 0 : 2 * HOUR_MS)];
  const settlements =
    settlement === "none"
      ? []
      : (["GC", "SI", "HG"] as const).map((symbol) => settlementOf(symbol, settlement === "fresh" ? "2026-11-18" : "2026-11-16"));
  const bars: BarRow[] =
    close === "none" ? [] : INSTRUMENTS.map((name) => closedBar(barSymbolOf(name), "1m", closedAtMs - MINUTE_MS));
  market.apply({ kind: "moment", token: 1, atMs, ticks, fx, bars, settlements });
  return market;
};

/** What the API should say about a symbol in a state, written independently. */
const expected = (symbol: PriceSymbol, { instant, tick, rate, settlement, close }: State) => {
  const hasRate = rate !== "none" || symbol.currency === "USD";
  const silent = instant.isOpen ? "feed_down" : "market_closed";
  const isLate = rate !== "live" && symbol.currency !== "USD";
  const isSettled = settlement !== "none" && symbol.contractType === "futures";
  const isClose = !instant.isOpen && close === "known";
  if (tick !== "none") return { hasPrice: hasRate, reason: tick === "stale" ? silent : isLate ? "fx_fallback" : null };
  // Settlements were published before the last close here.
  if (isClose) return { hasPrice: hasRate, reason: "market_closed" };
  if (isSettled) {
    const dueMs = at(settlement === "fresh" ? "2026-11-20T11:00:00Z" : "2026-11-18T11:00:00Z");
    return { hasPrice: true, reason: instant.atMs > dueMs ? "feed_down" : null };
  }
  return { hasPrice: false, reason: silent };
};

const ANSWERS: Pick<Store, "kind" | "ping" | "refusesWrites"> = {
  kind: "pglite",
  ping: async () => undefined,
  refusesWrites: () => false,
};

const statusOf = async (market: MarketView, live: Live, nowMs: number) => {
  const said = await status({ live, store: ANSWERS, market, catalog: DEFAULT_CATALOG, configuredWriter: null })(
    {},
    verbContext(nowMs),
  );
  return (said as OutputOf<AssayContract["system"]["status"]>).value_staleness; // this verb does not encode its output
};

describe("a row and the status", () => {
  let live: Live;
  beforeAll(() => {
    live = openMemoryLive({ clock: () => 0 });
  });
  afterAll(() => live.close());

  test.each(INSTANTS)("agree on every symbol in every state at $name, and say what the interface does", async (instant) => {
    for (const state of STATES.filter((each) => each.instant === instant)) {
      const market = marketIn(state);
      const said = await statusOf(market, live, instant.atMs);
      for (const symbol of PRICE_SYMBOLS) {
        for (const reach of REACHES) {
          const { row } = presentRow(market, symbol, ALL, reach, instant.atMs);
          const what = `${symbol.symbol} ${JSON.stringify(state)}`;
          const reason = row.is_stale ? (row.stale_reason ?? "none") : null;
          const ageSeconds = row.computed_at === undefined ? null : (instant.atMs - at(row.computed_at)) / 1_000;
          expect(said[symbol.symbol], what).toEqual({ is_stale: row.is_stale, age_seconds: ageSeconds, reason });
          expect({ hasPrice: row.price !== undefined, reason }, what).toEqual(expected(symbol, state));
        }
      }
    }
  });
});

test("a row leaves out open, high and low of a day of which only the close is known", () => {
  const instant = INSTANTS[0];
  const market = marketIn({ instant, tick: "fresh", rate: "none", settlement: "none", close: "none" });
  const dayMs = at("2026-11-20T00:00:00Z");
  const day = closedBar("XAU-USD-SPOT", "1d", dayMs, { open: null, high: null, low: null, isClosed: false });
  const before = closedBar("XAU-USD-SPOT", "1d", dayMs - DAY_MS, { open: null, high: null, low: null, close: "80" });
  market.apply({ kind: "moment", token: 1, atMs: instant.atMs, ticks: [], fx: [], bars: [before, day], settlements: [] });
  const gold = PRICE_SYMBOLS.find(({ instrument, currency }) => instrument === "XAU-USD-SPOT" && currency === "USD");
  if (!gold) throw new Error("no gold");
  const { row } = presentRow(market, gold, ALL, TIER_REACH.pro, instant.atMs);
  expect(row).toMatchObject({ open_time: dayMs / 1_000 });
  expect(Number(row.prev_close_price)).toBe(80);
  expect(Object.keys(row)).not.toContain("open_price");
  expect(Object.keys(row)).not.toContain("high_price");
  expect(Object.keys(row)).not.toContain("low_price");
});
