import { arbitrageSignals } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { simulatedBooks } from "./books.ts";
import { simulatedExpiries } from "./options.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);

describe("simulated books", () => {
  it("are two ladders and a touch market of each near expiry, with bids below asks", () => {
    const books = simulatedBooks("xau", AT_MS, 1);
    expect(books).toHaveLength(8 * (2 * 11 + 1));
    expect(books.filter(({ kind }) => kind === "touch")).toHaveLength(8);
    expect(new Set(books.map(({ venue, marketId }) => `${venue} ${marketId}`)).size).toBe(books.length);
    for (const { book } of books) expect(Number(book.bids[0]?.price ?? 0)).toBeLessThan(Number(book.asks[0]?.price ?? 1));
  });

  it("are the same for every reader", () => {
    expect(simulatedBooks("xag", AT_MS + 400, 3)).toEqual(simulatedBooks("xag", AT_MS, 3));
  });

  it("hold an edge now and then, and mostly none", () => {
    let withEdge = 0;
    const stretches = process.env.TEST_DEPTH === "deep" ? 200 : 60;
    for (let stretch = 0; stretch < stretches; stretch++) {
      const atMs = AT_MS + stretch * 600_000;
      const signals = arbitrageSignals(simulatedBooks("xau", atMs, 1), atMs);
      if (signals.length > 0) withEdge++;
      for (const { netEdgeBps, buy, sell } of signals) {
        expect(netEdgeBps).toBeGreaterThan(0);
        expect([buy.venue, sell.venue]).toEqual(["simulated-kalshi", "simulated-polymarket"]);
      }
    }
    expect(withEdge).toBeGreaterThan(stretches * 0.05);
    expect(withEdge).toBeLessThan(stretches * 0.4);
  });
});

describe("simulated expiries", () => {
  it("are Fridays ahead, by date", () => {
    for (let day = 0; day < 400; day += 3) {
      const atMs = AT_MS + day * 86_400_000;
      const expiries = simulatedExpiries(atMs);
      expect(expiries.length).toBeGreaterThan(10);
      expect(expiries).toEqual([...expiries].sort((a, b) => a - b));
      expect(expiries.every((expiry) => expiry > atMs && new Date(expiry).getUTCDay() === 5)).toBe(true);
    }
  });
});
