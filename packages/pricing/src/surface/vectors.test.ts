import { describe, expect, it } from "vitest";
import { captured } from "../testing/samples.ts";
import { oneTouch } from "./black.ts";
import { LognormalMixture } from "./kernel-fit.ts";
import { type SviJumpWings, type SviSlice, sliceOf, sviVariance, withoutButterflies } from "./svi.ts";

interface Touch {
  readonly pay: "at_hit" | "at_expiry";
  readonly H: number;
  readonly cash: number;
  readonly value: number;
  readonly tol: number;
  readonly recomputed: number;
  readonly S: number;
  readonly q: number;
  readonly r: number;
  readonly T: number;
  readonly vol: number;
}
type Raw = readonly [number, number, number, number, number];
interface Repaired {
  readonly c: number;
  readonly vtilde: number;
  readonly raw: Raw;
  readonly min_g: number;
}
interface Vectors {
  readonly one_touch_haug_cash15: readonly Touch[];
  readonly svi: {
    readonly vogt_raw: SviSlice & { readonly t: number };
    readonly vogt_jw_published: Raw;
    readonly vogt_min_g: {
      readonly recomputed: number;
      readonly at_k: number;
      readonly negative_interval: readonly [number, number];
    };
    readonly repaired_example_5_1: Repaired;
    readonly optimal_example_5_1: Repaired;
    readonly quantlib_svismilesection: SviSlice & { readonly forward: number; readonly value: number };
  };
  readonly lognormal_mixture_closed_form: {
    readonly forward: number;
    readonly rows: readonly { readonly K: number; readonly call: number; readonly prob_above: number; readonly pdf: number }[];
  };
}

/** The function g, which has the sign of the density: Gatheral and Jacquier, 2014, equation 2.1. */
const sviDensitySign = (slice: SviSlice, x: number): number => {
  const { b, rho, m, sigma } = slice;
  const root = Math.hypot(x - m, sigma);
  const w = sviVariance(slice, x);
  const first = b * (rho + (x - m) / root);
  const second = (b * sigma ** 2) / root ** 3;
  return (1 - (x * first) / (2 * w)) ** 2 - (first ** 2 / 4) * (1 / w + 1 / 4) + second / 2;
};

/** Raw parameters as jump wings: Gatheral and Jacquier, 2014, equation 3.5. */
const jumpWingsOf = ({ a, b, rho, m, sigma }: SviSlice, years: number): SviJumpWings => {
  const root = Math.hypot(m, sigma);
  const w = a + b * (-rho * m + root);
  const scale = b / Math.sqrt(w);
  return {
    v: w / years,
    psi: (scale / 2) * (rho - m / root),
    p: scale * (1 - rho),
    c: scale * (1 + rho),
    vMin: (a + b * sigma * Math.sqrt(1 - rho ** 2)) / years,
  };
};

const text = captured("vectors/vectors.json");

const least = (slice: SviSlice): { g: number; x: number } => {
  let found = { g: Number.POSITIVE_INFINITY, x: 0 };
  for (let x = -1.5; x <= 1.5; x += 0.0001) {
    const g = sviDensitySign(slice, x);
    if (g < found.g) found = { g, x };
  }
  return found;
};
const rawOf = ({ a, b, rho, m, sigma }: SviSlice): number[] => [a, b, rho, m, sigma];
const expectClose = (found: readonly number[], wanted: readonly number[], digits: number): void =>
  wanted.forEach((figure, index) => {
    expect(found[index]).toBeCloseTo(figure, digits);
  });

describe.skipIf(text === null)("published figures", { meta: { needs: "no ../shared/data beside the repository" } }, () => {
  const vectors = JSON.parse(text ?? "{}") as Vectors; // the shape of that file
  const world = ({ S, q, r, T, vol }: Touch) => ({ spot: S, rate: r, yield: q, years: T, volatility: vol });

  it("prices one-touch options as Haug does", () => {
    for (const vector of vectors.one_touch_haug_cash15) {
      const price = vector.cash * oneTouch(world(vector), vector.H, vector.pay);
      expect(Math.abs(price - vector.value)).toBeLessThanOrEqual(vector.tol);
      expect(price).toBeCloseTo(vector.recomputed, 6);
    }
  });

  it("finds the negative density of Vogt's smile and repairs it as Gatheral and Jacquier do", () => {
    const { svi } = vectors;
    const wings = jumpWingsOf(svi.vogt_raw, svi.vogt_raw.t);
    expectClose([wings.v, wings.psi, wings.p, wings.c, wings.vMin], svi.vogt_jw_published, 6);
    expectClose(rawOf(sliceOf(wings, 1)), rawOf(svi.vogt_raw), 9);
    const worst = least(svi.vogt_raw);
    expect(worst.g).toBeCloseTo(svi.vogt_min_g.recomputed, 5);
    expect(worst.x).toBeCloseTo(svi.vogt_min_g.at_k, 3);
    const [from, to] = svi.vogt_min_g.negative_interval;
    for (const [x, sign] of [
      [from - 1e-3, 1],
      [from + 1e-3, -1],
      [to - 1e-3, -1],
      [to + 1e-3, 1],
    ] as const)
      expect(Math.sign(sviDensitySign(svi.vogt_raw, x))).toBe(sign);
    const repaired = withoutButterflies(wings);
    expectClose([repaired.c, repaired.vMin], [svi.repaired_example_5_1.c, svi.repaired_example_5_1.vtilde], 6);
    expectClose(rawOf(sliceOf(repaired, 1)), svi.repaired_example_5_1.raw, 6);
    expect(least(sliceOf(repaired, 1)).g).toBeCloseTo(svi.repaired_example_5_1.min_g, 5);
    const { c, vtilde, raw, min_g } = svi.optimal_example_5_1;
    const optimal = sliceOf({ ...wings, c, vMin: vtilde }, 1);
    expectClose(rawOf(optimal), raw, 6);
    expect(least(optimal).g).toBeCloseTo(min_g, 5);
  });

  it("has the total variance a + bσ at the bottom's own m, as QuantLib checks", () => {
    const slice = vectors.svi.quantlib_svismilesection;
    expect(sviVariance(slice, slice.m)).toBeCloseTo(slice.value, 12);
  });

  it("knows the closed form of a lognormal mixture", () => {
    const { forward, rows } = vectors.lognormal_mixture_closed_form;
    const part = (weight: number, meanLog: number, deviation: number) => ({
      weight,
      mean: Math.exp(meanLog + deviation ** 2 / 2) / forward,
      deviation,
    });
    const mixture = new LognormalMixture([part(0.4, 6.8, 0.065), part(0.6, 6.95, 0.055)]);
    const discount = Math.exp((-0.05 * 60) / 365);
    for (const { K, call, prob_above, pdf } of rows) {
      expect(mixture.call(K / forward) * forward * discount).toBeCloseTo(call, 7);
      expect(mixture.probAbove(K / forward)).toBeCloseTo(prob_above, 7);
      expect(Math.abs(mixture.density(K / forward) / forward / pdf - 1)).toBeLessThan(1e-4);
    }
  });
});
