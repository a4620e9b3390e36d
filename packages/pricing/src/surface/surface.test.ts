import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BookLevel, DigitalMarket } from "../signals/digital-market.ts";
import { quotedChain, quotedSmile, trueProbAbove } from "../testing/quoted-chain.ts";
import { neverRising } from "./digital-curve.ts";
import { defaultHorizon, type HorizonSurface, horizonIndex, probabilitySurface, type SurfaceInput } from "./surface.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const chain = quotedChain("xau", AT_MS);
const SPOT = chain.spotUsdPerOzt;
const input = (rest: Partial<SurfaceInput>): SurfaceInput => ({
  metal: "xau",
  spotUsdPerOzt: SPOT,
  chains: [],
  markets: [],
  nowMs: AT_MS,
  ...rest,
});

const expectSound = (surface: HorizonSurface): void => {
  const { points, percentiles, venues } = surface;
  expect(points.length).toBeGreaterThan(5);
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    expect(point.probAbove).toBeGreaterThanOrEqual(0);
    expect(point.probAbove).toBeLessThanOrEqual(before?.probAbove ?? 1);
    expect(Number(point.strike)).toBeGreaterThan(Number(before?.strike ?? 0));
    expect(point.extrapolated).toBe(point.sources.length === 0);
  }
  const prices = Object.values(percentiles).map(Number);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
  expect(venues.length).toBeGreaterThan(0);
};

const level = (price: number): BookLevel[] => [{ price: price.toFixed(3), size: "100" }];
const EXPIRY = Date.UTC(2026, 11, 18, 21);
const market = (strike: number, bid: number, ask: number, rest: Partial<DigitalMarket> = {}): DigitalMarket => ({
  venue: "kalshi",
  marketId: `above-${strike}`,
  metal: "xau",
  kind: "terminal",
  strike: String(strike),
  expiresAtMs: EXPIRY,
  reference: "pyth:XAU/USD",
  book: { bids: level(bid), asks: level(ask) },
  feeModel: "kalshi",
  volumeUsd: "1000",
  retrievedAtMs: AT_MS,
  ...rest,
});
const ladder = [market(3_900, 0.7, 0.72), market(4_000, 0.49, 0.51), market(4_100, 0.27, 0.3), market(4_200, 0.11, 0.13)];

describe("probabilitySurface", () => {
  const surfaces = probabilitySurface(input({ chains: [chain] }));

  it("has every expiry of a chain, sound and by date", () => {
    expect(surfaces.map(({ horizon }) => horizon)).toEqual(
      chain.expiries.map(({ expiresAtMs }) => new Date(expiresAtMs).toISOString().slice(0, 10)),
    );
    for (const surface of surfaces) expectSound(surface);
    expect(surfaces.at(-1)).toMatchObject({ method: "lognormal_kernels", flags: expect.arrayContaining(["options_only"]) });
  });

  it("lies within two points of the true probabilities of a chain", () => {
    for (const { expiresAtMs, points } of surfaces) {
      const smile = quotedSmile(0.17, AT_MS, expiresAtMs);
      for (const { strike, probAbove } of points) {
        const truth = trueProbAbove(smile, Number(strike) / (Number(SPOT) * smile.carry));
        expect(Math.abs(probAbove - truth)).toBeLessThan(0.02);
      }
    }
  });

  it("shows raw figures beside the fitted ones at quoted strikes, and none elsewhere", () => {
    const [surface] = probabilitySurface(input({ markets: ladder }));
    const quoted = surface?.points.filter(({ rawProbAbove }) => rawProbAbove !== null);
    expect(quoted?.map(({ strike, rawProbAbove }) => [strike, rawProbAbove])).toEqual([
      ["3900.00", 0.71],
      ["4000.00", 0.5],
      ["4100.00", 0.285],
      ["4200.00", 0.12],
    ]);
    expect(surface).toMatchObject({ method: "isotonic_ladder", forwardUsd: null, flags: ["prediction_markets_only"] });
    expect(surface?.points[0]?.extrapolated).toBe(true);
    expect(surface?.points.at(-1)?.extrapolated).toBe(true);
    expect(surface?.percentiles.p50).toBe("4000.00");
  });

  it("makes a ladder that is out of order never rise, and says so", () => {
    const [surface] = probabilitySurface(input({ markets: [...ladder, market(4_150, 0.33, 0.35)] }));
    if (!surface) throw new Error("no surface");
    expectSound(surface);
    expect(surface.flags).toContain("ladder_out_of_order");
    const at = (strike: string) => surface.points.find((point) => point.strike === strike);
    expect(at("4150.00")?.rawProbAbove).toBe(0.34);
    expect(at("4150.00")?.probAbove).toBeLessThan(0.34);
  });

  it("reads rungs whose books have one middle at different spreads as a flat ladder, not as one out of order", () => {
    const flat = [market(4_300, 0.04, 0.08), market(4_400, 0.05, 0.07), market(4_500, 0.03, 0.09)];
    const [surface] = probabilitySurface(input({ markets: [...ladder, ...flat] }));
    expect(surface?.flags).toEqual(["prediction_markets_only"]);
  });

  it("pools two markets of one strike, in whatever order they come, and counts the strike once", () => {
    const second = market(4_000, 0.53, 0.55, { marketId: "weekly-4000" });
    const [after] = probabilitySurface(input({ markets: [...ladder, second] }));
    const [before] = probabilitySurface(input({ markets: [second, ...ladder] }));
    expect(after?.points.find(({ strike }) => strike === "4000.00")).toMatchObject({ probAbove: 0.52, rawProbAbove: 0.52 });
    expect(before).toEqual(after);
    expect(probabilitySurface(input({ markets: [...ladder.slice(1, 3), second] }))).toEqual([]);
  });

  it("never uses a touch market", () => {
    const touched = ladder.map((one) => ({ ...one, kind: "touch" as const }));
    expect(probabilitySurface(input({ markets: touched }))).toEqual([]);
    const one = market(4_050, 0.9, 0.92, { kind: "touch" });
    expect(probabilitySurface(input({ markets: [...ladder, one] }))).toEqual(probabilitySurface(input({ markets: ladder })));
  });

  it("converts strikes of another underlying by its basis", () => {
    const [spot] = probabilitySurface(input({ markets: ladder }));
    const [future] = probabilitySurface(input({ markets: ladder.map((one) => ({ ...one, basis: "0.99" })) }));
    expect(Number(future?.percentiles.p50)).toBeCloseTo(Number(spot?.percentiles.p50) * 0.99, 1);
    const shares = { ...chain, underlying: "GLD", spotUsdPerOzt: String(Number(SPOT) * 10) };
    const [surface] = probabilitySurface(input({ chains: [shares] }));
    expect(surface?.flags).toContain("proxy_underlying");
    expect(Number(surface?.percentiles.p50) / Number(surfaces[0]?.percentiles.p50)).toBeCloseTo(10, 1);
  });

  it("blends by how tightly each venue is quoted", () => {
    const wide = ladder.map((one) => ({
      ...one,
      venue: "polymarket",
      book: { bids: level(Number(one.book.bids[0]?.price) - 0.08), asks: level(Number(one.book.asks[0]?.price) + 0.28) },
    }));
    const p50 = (markets: readonly DigitalMarket[]) => Number(probabilitySurface(input({ markets }))[0]?.percentiles.p50);
    const tight = p50(ladder);
    const both = p50([...ladder, ...wide]);
    expect(both - tight).toBeGreaterThan(0);
    expect(both - tight).toBeLessThan((p50(wide) - tight) / 10);
  });

  it("ignores quotes at which no one would trade", () => {
    const closed = chain.expiries.map((expiry) => ({
      ...expiry,
      quotes: expiry.quotes.map((quote) => ({ ...quote, bid: null })),
    }));
    expect(probabilitySurface(input({ chains: [{ ...chain, expiries: closed }] }))).toEqual([]);
    const oneSided = ladder.map((one) => ({ ...one, book: { ...one.book, bids: [] } }));
    expect(probabilitySurface(input({ markets: oneSided }))).toEqual([]);
    expect(probabilitySurface(input({ markets: ladder.slice(0, 2) }))).toEqual([]);
    expect(probabilitySurface(input({ markets: ladder, nowMs: EXPIRY }))).toEqual([]);
  });

  it("rates a horizon by its written rules", () => {
    const [few] = probabilitySurface(input({ markets: ladder }));
    expect(few).toMatchObject({ confidence: "low", thinLiquidity: true });
    const more = Array.from({ length: 9 }, (_, index) => market(3_700 + 75 * index, 0.93 - 0.1 * index, 0.95 - 0.1 * index));
    expect(probabilitySurface(input({ markets: more }))[0]).toMatchObject({ confidence: "medium", thinLiquidity: false });
    const loose = more.map((one) => ({
      ...one,
      book: { bids: one.book.bids, asks: level(Number(one.book.asks[0]?.price) + 0.12) },
    }));
    const [thin] = probabilitySurface(input({ markets: loose.slice(2) }));
    expect(thin).toMatchObject({ confidence: "low", thinLiquidity: true });
  });

  it("is sound for any ladder", () => {
    const rung = fc.record({
      strike: fc.integer({ min: 3_000, max: 5_000 }),
      bid: fc.integer({ min: 5, max: 950 }),
      spread: fc.integer({ min: 0, max: 45 }),
    });
    fc.assert(
      fc.property(fc.array(rung, { minLength: 3, maxLength: 20 }), (rungs) => {
        const markets = rungs.map(({ strike, bid, spread }) => market(strike, bid / 1_000, (bid + spread) / 1_000));
        for (const surface of probabilitySurface(input({ markets }))) {
          const { points } = surface;
          expect(points.every((point, index) => point.probAbove <= (points[index - 1]?.probAbove ?? 1))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("horizons", () => {
  const surfaces = probabilitySurface(input({ chains: [chain] }));

  it("take the one nearest to thirty days ahead when none is named", () => {
    expect(defaultHorizon(surfaces, AT_MS)).toBe("2026-12-18");
    expect(defaultHorizon([], AT_MS)).toBeNull();
  });

  it("are listed by date with what is behind them", () => {
    const index = horizonIndex(surfaces, AT_MS);
    expect(index[1]).toEqual({
      horizon: "2026-11-27",
      daysToExpiry: 7.25,
      marketsCount: surfaces[1]?.venues[0]?.marketsUsed,
      venues: ["quoted"],
      retrievedAtMs: AT_MS,
    });
  });
});

describe("neverRising", () => {
  it("pools neighbours that rise, by weight, and leaves the others alone", () => {
    const values = [0.9, 0.5, 0.7, 0.2].map((value, index) => ({ value, weight: index === 1 ? 3 : 1 }));
    expect(neverRising(values)).toEqual([0.9, 0.55, 0.55, 0.2]);
  });

  it("never rises, keeps the weighted sum, and leaves what never rose unchanged", () => {
    const value = fc.record({
      value: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.double({ min: 0.1, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const fitted = neverRising(values);
        expect(fitted.every((one, index) => one <= (fitted[index - 1] ?? 1) + 1e-12)).toBe(true);
        const sum = (all: readonly number[]) => all.reduce((total, one, index) => total + one * (values[index]?.weight ?? 0), 0);
        expect(sum(fitted)).toBeCloseTo(sum(values.map((one) => one.value)), 9);
        const sorted = [...values].sort((a, b) => b.value - a.value);
        expect(neverRising(sorted)).toEqual(sorted.map((one) => one.value));
      }),
    );
  });
});
