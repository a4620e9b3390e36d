import { describe, expect, it } from "vitest";
import { arbitrageSignals } from "../signals/arbitrage.ts";
import { type MarketReading, marketFrom } from "../signals/digital-market.ts";
import { blackCall } from "./black.ts";
import { chainsFrom, expiryOf, type OptionReading } from "./option-chain.ts";
import { probabilitySurface } from "./surface.ts";

const AT_MS = Date.UTC(2026, 10, 21, 1);
const DEVIATION = 0.06;
const SPOT = "4003.20";

const readings = Array.from({ length: 17 }, (_, index) => 3_600 + 50 * index).flatMap((strike) =>
  (["call", "put"] as const).map((side): OptionReading => {
    const call = blackCall(strike / 4_020, DEVIATION) * 4_020;
    const fair = side === "call" ? call : call - 4_020 + strike;
    const bid = fair - 0.4;
    return {
      source: "replay-options",
      metal: "XAU",
      expiry: "2026-12-31",
      side,
      strike: String(strike),
      bid: bid > 0 ? bid.toFixed(2) : null,
      ask: (fair + 0.4).toFixed(2),
      style: "european",
      observedAtMs: AT_MS,
    };
  }),
);

const market = (source: string, feeModel: string, yesBid: string, yesAsk: string): MarketReading => ({
  source,
  metal: "XAU",
  expiry: "2026-12-31",
  marketId: `${feeModel}-4200`,
  condition: "above",
  strike: "4200",
  yesBid,
  yesAsk,
  bidSizeUsd: "800",
  askSizeUsd: "900",
  feeModel,
  observedAtMs: AT_MS,
});

describe("single option quotes", () => {
  it("make a chain of their source, from which the distribution is read", () => {
    const chains = chainsFrom(readings, () => SPOT);
    expect(chains).toHaveLength(1);
    const [surface] = probabilitySurface({ metal: "xau", spotUsdPerOzt: SPOT, chains, markets: [], nowMs: AT_MS });
    expect(surface).toMatchObject({ horizon: "2026-12-31", expiresAtMs: expiryOf("2026-12-31") });
    expect(Number(surface?.forwardUsd)).toBeCloseTo(4_020, 0);
    expect(Number(surface?.percentiles.p50)).toBeCloseTo(4_020 * Math.exp(-(DEVIATION ** 2) / 2), -1);
  });

  it("count by the newest of each option", () => {
    const older = readings.map((reading) => ({ ...reading, bid: null, ask: null, observedAtMs: AT_MS - 1 }));
    expect(chainsFrom([...readings, ...older], () => SPOT)).toEqual(chainsFrom(readings, () => SPOT));
  });

  it("make no chain without spot", () => {
    expect(chainsFrom(readings, () => null)).toEqual([]);
  });
});

describe("single markets", () => {
  it("make an edge of their best prices and sizes", () => {
    const markets = [market("replay-a", "kalshi", "0.29", "0.31"), market("replay-b", "polymarket", "0.40", "0.42")];
    expect(arbitrageSignals(markets.map(marketFrom), AT_MS)).toMatchObject([
      {
        buy: { venue: "replay-a", sizeUsd: "900.00" },
        sell: { venue: "replay-b", sizeUsd: "800.00" },
        executableSizeUsd: "800.00",
      },
    ]);
  });

  it("of one source and two fee models belong to two venues", () => {
    const markets = [market("replay-pm", "kalshi", "0.29", "0.31"), market("replay-pm", "polymarket", "0.40", "0.42")];
    expect(arbitrageSignals(markets.map(marketFrom), AT_MS)).toHaveLength(1);
  });

  it("that touch make none", () => {
    const markets = [market("replay-a", "kalshi", "0.29", "0.31"), market("replay-b", "polymarket", "0.40", "0.42")];
    expect(
      arbitrageSignals(
        markets.map((one) => marketFrom({ ...one, condition: "touch" })),
        AT_MS,
      ),
    ).toEqual([]);
  });
});
