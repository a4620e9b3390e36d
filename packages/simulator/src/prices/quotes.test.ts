/** The simulated sources: they diverge slightly, and their median is the simulated price. */
import {
  barSymbolOf,
  compareDecimalText,
  compose,
  INSTRUMENTS,
  marketStateAt,
  type SourceInfo,
  validateSpot,
} from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulatedBars, simulatedPrice } from "./price.ts";
import { simulatedQuotes, simulatedSources } from "./quotes.ts";

const sources = new Map<string, SourceInfo>(simulatedSources.map((info) => [info.key, info]));
const instrument = fc.constantFrom(...INSTRUMENTS);
const instant = fc.integer({ min: Date.UTC(2004, 10, 18), max: Date.UTC(2040, 0, 1) });
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

const SATURDAY_MS = Date.UTC(2026, 10, 21, 12, 0, 5);
const FRIDAY_MS = Date.UTC(2026, 10, 20, 16, 0, 5);

const bpsFrom = (price: string, of: string): number => (Number(price) / Number(of) - 1) * 10_000;

describe("the simulated sources", () => {
  it("compose to the simulated price, to the last digit", () => {
    fc.assert(
      fc.property(instrument, instant, seed, (name, atMs, of) => {
        const composed = compose(name, simulatedQuotes(name, atMs, of), sources, atMs);
        expect(compareDecimalText(composed?.price ?? "0", simulatedPrice(name, atMs, of))).toBe(0);
        expect(composed?.basis).toBe("primary");
      }),
    );
  });

  it("stay on their own side of the price, and within 50 bps of each other", () => {
    fc.assert(
      fc.property(instrument, instant, seed, (name, atMs, of) => {
        const [middle, above, below] = simulatedQuotes(name, atMs, of);
        expect(middle?.price).toBe(simulatedPrice(name, atMs, of));
        expect(Number(above?.price)).toBeGreaterThan(Number(middle?.price));
        expect(Number(below?.price)).toBeLessThan(Number(middle?.price));
        expect(bpsFrom(above?.price ?? "", below?.price ?? "")).toBeLessThan(50);
      }),
      { numRuns: 1_000 },
    );
  });

  it("lie a few bps apart as a rule, and now and then further", () => {
    const apart = Array.from({ length: 20_000 }, (_, index) => {
      const [, above, below] = simulatedQuotes("XAU-USD-SPOT", FRIDAY_MS - index * 60_000, 1);
      return bpsFrom(above?.price ?? "", below?.price ?? "");
    }).sort((a, b) => a - b);
    expect(apart[0]).toBeGreaterThan(0.5);
    expect(apart[10_000]).toBeLessThan(4);
    expect(apart.at(-1)).toBeGreaterThan(7);
    expect(apart.at(-1)).toBeLessThan(40);
  });

  it("pass every rule for readings, bid below price below ask", () => {
    fc.assert(
      fc.property(instrument, instant, seed, (name, atMs, of) => {
        const quotes = simulatedQuotes(name, atMs, of);
        for (const quote of quotes) {
          const verdict = validateSpot(quote, { nowMs: atMs, sources });
          expect(verdict).toEqual({ ok: true });
          if (quote.bid && quote.ask)
            expect(Number(quote.bid) < Number(quote.price) && Number(quote.price) < Number(quote.ask)).toBe(true);
        }
      }),
    );
  });

  it("quote gold about 0.30 wide at today's price", () => {
    for (let minute = 0; minute < 60; minute++) {
      const [quote] = simulatedQuotes("XAU-USD-SPOT", FRIDAY_MS + minute * 60_000, 1);
      const width = Number(quote?.ask) - Number(quote?.bid);
      expect(width).toBeGreaterThan(0.19);
      expect(width).toBeLessThan(0.45);
    }
  });

  it("have a token at 5 to 20 bps and yesterday's or today's council rate for gold, for nothing else", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const quotes = simulatedQuotes("XAU-USD-SPOT", atMs, of);
        expect(quotes.map((quote) => quote.source)).toEqual(simulatedSources.map((info) => info.key));
        const [middle, , , token, council] = quotes;
        expect(bpsFrom(token?.price ?? "", middle?.price ?? "")).toBeGreaterThan(4.7);
        expect(bpsFrom(token?.price ?? "", middle?.price ?? "")).toBeLessThan(20.3);
        const setMs = council?.observedAtMs ?? 0;
        expect(new Date(setMs).toISOString()).toMatch(/T15:00:00\.000Z$/);
        expect(atMs - setMs).toBeGreaterThanOrEqual(0);
        expect(atMs - setMs).toBeLessThan(86_400_000);
        expect(council?.price).toBe(simulatedPrice("XAU-USD-SPOT", setMs, of));
      }),
    );
    expect(simulatedQuotes("XAG-USD-SPOT", FRIDAY_MS, 1)).toHaveLength(3);
  });

  it("fall silent with the market in market hours, except the token and Friday's council rate", () => {
    expect(marketStateAt(SATURDAY_MS).open).toBe(false);
    const quotes = simulatedQuotes("XAU-USD-SPOT", SATURDAY_MS, 1, "market");
    expect(quotes.map((quote) => quote.source)).toEqual(["simulated-token", "simulated-council"]);
    expect(quotes[1]?.observedAtMs).toBe(Date.UTC(2026, 10, 20, 15));
    expect(simulatedQuotes("GLD", SATURDAY_MS, 1, "market")).toEqual([]);
    expect(simulatedQuotes("GLD", FRIDAY_MS, 1, "market")).toEqual(simulatedQuotes("GLD", FRIDAY_MS, 1));
  });

  it("report volumes that add up to the minute's, even when seconds are left out", () => {
    const startMs = Date.UTC(2026, 10, 20, 14, 30);
    for (const name of ["XAU-USD-FUTURES", "XAG-USD-FUTURES", "HG-USD-FUTURES", "GLD"] as const) {
      const [bar] = simulatedBars(barSymbolOf(name), "1m", startMs, startMs + 60_000, 1);
      let sum = 0;
      for (let atMs = startMs; atMs < startMs + 60_000; atMs += 1_000) {
        const [quote] = simulatedQuotes(name, atMs, 1);
        expect(quote?.volume).toMatch(/^[0-9]+$/);
        sum += Number(quote?.volume);
      }
      expect(String(sum)).toBe(bar?.volume);
    }
  });

  it("are all marked as simulated, with the windows of their pace", () => {
    for (const info of simulatedSources) {
      expect(info.key).toMatch(/^simulated/);
      expect(info.license).toBe("simulated");
    }
    expect(sources.get("simulated-council")).toMatchObject({ role: "council", intervalMs: 86_400_000, freshForMs: 129_600_000 });
    expect(sources.get("simulated-b")).toMatchObject({ role: "primary", intervalMs: 1_000, freshForMs: 60_000 });
    expect(sources.get("simulated-token")).toMatchObject({ role: "informational", alwaysOpen: true });
  });
});
