import { DAY_MS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotedChain } from "../testing/quoted-chain.ts";
import type { OptionChain, OptionQuote } from "./option-chain.ts";
import { probabilitySurface } from "./surface.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);

const sound = quotedChain("xau", AT_MS, {
  expiries: [AT_MS + 7 * DAY_MS, AT_MS + 35 * DAY_MS, AT_MS + 200 * DAY_MS],
  strikes: 12,
});

/** Faults seen in real feeds' quotes. */
const SPOILED: readonly ((quote: OptionQuote) => OptionQuote)[] = [
  (quote) => quote,
  (quote) => ({ ...quote, bid: null }),
  (quote) => ({ ...quote, bid: "0", ask: "0" }),
  (quote) => ({ ...quote, bid: quote.ask, ask: quote.bid }),
  (quote) => ({
    ...quote,
    bid: quote.bid && `${quote.bid}0`.replace(".", ""),
    ask: quote.ask && `${quote.ask}0`.replace(".", ""),
  }),
  (quote) => ({ ...quote, right: quote.right === "call" ? "put" : "call" }),
  (quote) => ({ ...quote, strike: "garbage" }),
  (quote) => ({ ...quote, ask: "99999999" }),
  (quote) => ({ ...quote, bid: "", ask: "-1" }),
];

const share = fc.double({ min: 0, max: 1, noNaN: true });
const quotes = sound.expiries.reduce((sum, expiry) => sum + expiry.quotes.length, 0);

/** The chain with a given share of its quotes corrupted. */
const chains = fc
  .record({
    spoiled: share,
    dice: fc.array(fc.record({ chance: share, way: fc.nat(SPOILED.length - 1) }), { minLength: quotes, maxLength: quotes }),
  })
  .map(({ spoiled, dice }): OptionChain => {
    const thrown = dice.values();
    return {
      ...sound,
      style: "american",
      underlying: "GLD",
      underlyingUsd: "400.10",
      expiries: sound.expiries.map((expiry) => ({
        ...expiry,
        quotes: expiry.quotes.map((quote) => {
          const { chance = 1, way = 0 } = thrown.next().value ?? {};
          return (chance < spoiled ? SPOILED[way]?.(quote) : null) ?? quote;
        }),
      })),
    };
  });

describe("whatever options are quoted at", () => {
  it("the surface is sound or absent, and never has a figure that is not a number", () => {
    let made = 0;
    fc.assert(
      fc.property(chains, (chain) => {
        for (const surface of probabilitySurface({
          metal: "xau",
          spotUsdPerOzt: "4003.20",
          chains: [chain],
          markets: [],
          nowMs: AT_MS,
        })) {
          made++;
          const { points, percentiles, forwardUsd } = surface;
          expect(points.every(({ probAbove }, index) => probAbove >= 0 && probAbove <= (points[index - 1]?.probAbove ?? 1))).toBe(
            true,
          );
          expect(points.every(({ rawProbAbove }) => rawProbAbove === null || Number.isFinite(rawProbAbove))).toBe(true);
          const prices = Object.values(percentiles).map(Number);
          expect(prices).toEqual([...prices].sort((a, b) => a - b));
          for (const figure of [...prices, Number(forwardUsd)]) expect(figure).toBeGreaterThan(0);
        }
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 150 : 30 },
    );
    expect(made).toBeGreaterThan(0);
  });
});
