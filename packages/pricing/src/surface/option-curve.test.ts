import { describe, expect, it } from "vitest";
import { quotedChain, quotedSmile, trueProbAbove } from "../testing/quoted-chain.ts";
import { captured } from "../testing/samples.ts";
import type { OptionChain, OptionExpiry } from "./option-chain.ts";
import { type ChainSlice, optionSurface } from "./option-curve.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);

/** The captured SLV chain, with quotes of Friday's close. */
interface CapturedChain {
  readonly expirations: readonly string[];
  readonly quotes: readonly {
    readonly expiration: string;
    readonly side: "call" | "put";
    readonly strike: number;
    readonly bid: number | null;
    readonly ask: number | null;
    readonly volume: number | null;
  }[];
}
const text = captured("options/SLV.68e5342a.json.gz");
const chainOf = ({ expirations, quotes }: CapturedChain): OptionChain => ({
  venue: "cboe",
  metal: "xag",
  style: "american",
  underlying: "SLV",
  underlyingUsd: "53.95",
  spotUsdPerOzt: "59.60",
  retrievedAtMs: Date.UTC(2026, 6, 10, 20),
  expiries: expirations.map((day) => ({
    expiresAtMs: Date.parse(`${day}T20:00:00Z`),
    quotes: quotes
      .filter(({ expiration }) => expiration === day)
      .map(({ side, strike, bid, ask, volume }) => ({
        right: side,
        strike: String(strike),
        bid: bid === null ? null : String(bid),
        ask: ask === null ? null : String(ask),
        volume: volume === null ? null : String(volume),
      })),
  })),
});

/** Non-negative density, total one, non-increasing probabilities: checked on a fine grid over fourteen deviations. */
const expectDistribution = ({ distribution, deviation }: ChainSlice): void => {
  const steps = 2_000;
  const width = (14 * deviation) / steps;
  let total = 0;
  let mean = 0;
  let before = 1;
  let least = Number.POSITIVE_INFINITY;
  let rise = 0;
  for (let index = 0; index <= steps; index++) {
    const moneyness = Math.exp(-7 * deviation + index * width);
    const density = distribution.density(moneyness);
    least = Math.min(least, density);
    total += density * moneyness * width;
    mean += density * moneyness ** 2 * width;
    const above = distribution.probAbove(moneyness);
    rise = Math.max(rise, above - before);
    before = above;
  }
  expect(least).toBeGreaterThanOrEqual(0);
  expect(rise).toBe(0);
  const outside = 1 - distribution.probAbove(Math.exp(-7 * deviation)) + distribution.probAbove(Math.exp(7 * deviation));
  expect(total + outside).toBeCloseTo(1, 4);
  expect(distribution.parts.reduce((sum, part) => sum + part.weight * part.mean, 0)).toBeCloseTo(1, 9);
  expect(mean).toBeLessThanOrEqual(1.0001);
};

/** The largest amount by which a call is cheaper than that of the same moneyness one expiry earlier, over the forward. */
const worstCalendar = (slices: readonly ChainSlice[]): number =>
  Math.max(
    ...slices.slice(1).map((slice, index) => {
      const before = slices[index];
      const moneyness = Array.from({ length: 121 }, (_, at) => Math.exp((at - 60) / 40));
      return Math.max(...moneyness.map((one) => (before?.distribution.call(one) ?? 0) - slice.distribution.call(one)));
    }),
  );

describe.skipIf(text === null)("a real SLV chain", { meta: { needs: "no ../shared/data beside the repository" } }, () => {
  const chain = chainOf(JSON.parse(text ?? '{"expirations":[],"quotes":[]}') as CapturedChain); // the shape of that file
  const slices = optionSurface(chain);

  it("has a distribution for every expiry", () => {
    expect(slices.map(({ expiresAtMs }) => expiresAtMs)).toEqual(chain.expiries.map(({ expiresAtMs }) => expiresAtMs));
    for (const slice of slices) expectDistribution(slice);
  });

  it("is fitted within the spread of 97 % of its quotes, and of 85 % in each expiry", () => {
    const quotes = slices.reduce((sum, { points }) => sum + points.length, 0);
    const within = slices.map(
      ({ points, distribution }) =>
        points.filter(({ moneyness, call, half }) => Math.abs(distribution.call(moneyness) - call) <= Math.max(half, 1e-6))
          .length,
    );
    expect(within.reduce((sum, count) => sum + count, 0) / quotes).toBeGreaterThan(0.97);
    for (const [index, { points }] of slices.entries()) expect((within[index] ?? 0) / points.length).toBeGreaterThan(0.85);
  });

  it("has no calendar arbitrage worth a cent of the share", () => {
    expect(slices.filter(({ crossesCalendar }) => crossesCalendar)).toEqual([]);
    expect(worstCalendar(slices) * 53.95).toBeLessThan(0.01);
  });

  it("has forwards that rise with time from the share's price", () => {
    expect(slices[0]?.parity.forward).toBeGreaterThan(53.9);
    for (const [index, { parity }] of slices.entries()) {
      const before = slices[index - 1];
      if (before) expect(parity.forward).toBeGreaterThan(before.parity.forward * 0.995);
    }
  });

  it("has no distribution overnight, when there are no bids", () => {
    const closed = (expiry: OptionExpiry): OptionExpiry => ({
      ...expiry,
      quotes: expiry.quotes.map((quote) => ({ ...quote, bid: "0" })),
    });
    expect(optionSurface({ ...chain, expiries: chain.expiries.map(closed) })).toEqual([]);
    const absent = (expiry: OptionExpiry): OptionExpiry => ({
      ...expiry,
      quotes: expiry.quotes.map((quote) => ({ ...quote, bid: null, ask: null })),
    });
    expect(optionSurface({ ...chain, expiries: chain.expiries.map(absent) })).toEqual([]);
  });
});

describe.each([
  ["xau", 0.17],
  ["xag", 0.32],
  ["xau", 0.14],
] as const)("a chain of %s quoted from a smile of volatility %f", (metal, volatility) => {
  const chain = quotedChain(metal, AT_MS, { volatility });
  const slices = optionSurface(chain);

  it("has a sound distribution for every expiry, without calendar arbitrage", () => {
    expect(slices.map(({ expiresAtMs }) => expiresAtMs)).toEqual(chain.expiries.map(({ expiresAtMs }) => expiresAtMs));
    for (const slice of slices) expectDistribution(slice);
    expect(slices.filter(({ crossesCalendar }) => crossesCalendar)).toEqual([]);
    expect(worstCalendar(slices)).toBeLessThan(1e-4);
  });

  it("recovers the forward, the discount and the true probabilities of its smile", () => {
    for (const { expiresAtMs, parity, distribution, deviation } of slices) {
      const smile = quotedSmile(volatility, AT_MS, expiresAtMs);
      expect(parity.forward / (Number(chain.underlyingUsd) * smile.carry)).toBeCloseTo(1, 3);
      expect(Math.abs(parity.discount - smile.discount)).toBeLessThan(0.01);
      for (let x = -2.5; x <= 2.5; x += 0.25) {
        const moneyness = Math.exp(x * deviation);
        expect(Math.abs(distribution.probAbove(moneyness) - trueProbAbove(smile, moneyness))).toBeLessThan(0.02);
      }
    }
  });
});
