import { describe, expect, it, test } from "vitest";
import type { DigitalMarket } from "../signals/digital-market.ts";
import { captured } from "../testing/samples.ts";
import { basisFromRate } from "./digital-curve.ts";
import { probabilitySurface } from "./surface.ts";

const text = captured("prediction-markets/kalshi_gold_ladder_20260418.csv");
const NOW_MS = Date.UTC(2026, 3, 18, 15);

/** The rungs of the captured ladder: `ticker,subtitle,mid_cents,spread_cents,…`. */
const markets = (text ?? "")
  .split("\n")
  .slice(1)
  .flatMap((line): DigitalMarket[] => {
    const [ticker = "", subtitle = "", mid = "", spread = ""] = line.split(",");
    const strike = /^above \$([0-9.]+)$/.exec(subtitle)?.[1];
    if (strike === undefined) return [];
    const price = (side: 1 | -1) => ((Number(mid) + (side * Number(spread)) / 2) / 100).toFixed(3);
    return [
      {
        venue: "kalshi",
        marketId: ticker,
        metal: "xau",
        kind: "terminal",
        strike,
        expiresAtMs: ticker.startsWith("KXGOLDMON") ? Date.UTC(2026, 3, 30, 21) : Date.UTC(2026, 3, 20, 21),
        reference: "pyth:XAU/USD",
        feeModel: "kalshi",
        book: { bids: [{ price: price(-1), size: "50" }], asks: [{ price: price(1), size: "50" }] },
        volumeUsd: null,
        retrievedAtMs: NOW_MS,
      },
    ];
  });

describe.skipIf(text === null)(
  "a real Kalshi gold ladder",
  { meta: { needs: "no ../shared/data beside the repository" } },
  () => {
    const surfaces = probabilitySurface({ metal: "xau", spotUsdPerOzt: "4825", chains: [], markets, nowMs: NOW_MS });

    it("has a surface for the day and for the month, which never rises", () => {
      expect(surfaces.map(({ horizon }) => horizon)).toEqual(["2026-04-20", "2026-04-30"]);
      for (const { points } of surfaces)
        expect(points.every(({ probAbove }, index) => probAbove <= (points[index - 1]?.probAbove ?? 1))).toBe(true);
    });

    it("corrects the rung that is dearer than the one below it, and says so", () => {
      // 94 cents above 4614 and 95 above 4624
      const [day] = surfaces;
      expect(day?.flags).toEqual(["ladder_out_of_order", "prediction_markets_only"]);
    });

    it("lies near the middles of tight books and has its median where the ladder crosses a half", () => {
      const month = surfaces[1];
      const at = (strike: string) => month?.points.find((point) => point.strike === strike);
      expect(at("4586.99")).toMatchObject({ rawProbAbove: 0.8, probAbove: 0.8, extrapolated: false });
      expect(Number(month?.percentiles.p50)).toBeGreaterThan(4_826);
      expect(Number(month?.percentiles.p50)).toBeLessThan(4_900);
      expect(month).toMatchObject({ thinLiquidity: true, confidence: "low" });
    });
  },
);

test.each([
  // On 30 November GCZ26 has rolled; GCG27 trades until 24 February 2027, 86 days later: exp(−0.04 × 86 / 365), less a fraction
  // of the day.
  ["xau", "2026-11-30T00:00:00Z", "0.99062"],
  // On 20 November GCZ26 is still the active one, until 29 December: 39 days.
  ["xau", "2026-11-20T00:00:00Z", "0.995735"],
  // Silver has no January: SIH27 until 29 March, 119 days from 30 November.
  ["xag", "2026-11-30T00:00:00Z", "0.987044"],
] as const)("of %s at %s is the cost of carrying it to the last day of the then active future", (metal, at, basis) => {
  expect(basisFromRate(metal, Date.parse(at))).toBe(basis);
});
