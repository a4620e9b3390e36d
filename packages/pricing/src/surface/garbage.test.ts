import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noiseKey, shareAt } from "../simulate-noise.ts";
import { simulatedOptions } from "../simulate-options.ts";
import type { OptionChain, OptionQuote } from "./option-chain.ts";
import { probabilitySurface } from "./surface.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const DAY_MS = 86_400_000;

const sound = simulatedOptions("xau", AT_MS, 1, {
  expiries: [AT_MS + 7 * DAY_MS, AT_MS + 35 * DAY_MS, AT_MS + 200 * DAY_MS],
  strikes: 12,
});

/** What feeds have been seen to do to a quote. */
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

/** The chain with as many of its quotes spoiled as a share says. */
const chains = fc
  .record({ share: fc.double({ min: 0, max: 1, noNaN: true }), seed: fc.integer() })
  .map(({ share, seed }): OptionChain => {
    const key = noiseKey(seed, "spoil");
    return {
      ...sound,
      style: "american",
      underlying: "GLD",
      underlyingUsd: "400.10",
      expiries: sound.expiries.map((expiry, at) => ({
        ...expiry,
        quotes: expiry.quotes.map((quote, index) => {
          const one = at * 1_000 + index;
          const way = shareAt(key, one) < share ? Math.floor(shareAt(key, -1 - one) * SPOILED.length) : 0;
          return SPOILED[way]?.(quote) ?? quote;
        }),
      })),
    };
  });

describe("whatever options are quoted at", () => {
  it("there is a sound surface or none, and never a figure that is no number", () => {
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
      { numRuns: 150 },
    );
    expect(made).toBeGreaterThan(0);
  });
});
