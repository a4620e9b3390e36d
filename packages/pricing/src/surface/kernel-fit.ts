/**
 * Arbitrage-free smoothing: the lognormal mixture closest to the quoted calls.
 *
 * Kernels of fixed position and width are weighted by least squares, each quote by its own spread, with weights that are
 * non-negative, add up to one and preserve the forward. Whatever the quotes, the result is a distribution: calls are decreasing
 * and convex in the strike, the density is non-negative and its total is one.
 */
/// <reference path="./untyped.d.ts" />
import quadprog from "quadprog";
import { blackCall, normalBelow, normalDensity } from "./black.ts";

export interface MixturePart {
  /** 0 or more; they add up to 1. */
  readonly weight: number;
  /** Its own mean, as a share of the forward. */
  readonly mean: number;
  /** The deviation of its logarithm, above 0. */
  readonly deviation: number;
}

/** The distribution of price / forward at expiry: lognormals with a total mean of one, and a closed form for every figure. */
export class LognormalMixture {
  readonly parts: readonly MixturePart[];
  /** @param parts weights add up to 1, and so do weighted means */
  constructor(parts: readonly MixturePart[]) {
    this.parts = parts;
  }

  /**
   * The undiscounted call over the forward.
   * @param moneyness strike / forward
   */
  call(moneyness: number): number {
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts) sum += weight * mean * blackCall(moneyness / mean, deviation);
    return sum;
  }

  /**
   * The probability of ending above a strike: −∂call/∂strike.
   * @param moneyness strike / forward
   */
  probAbove(moneyness: number): number {
    if (moneyness <= 0) return 1;
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts)
      sum += weight * normalBelow(Math.log(mean / moneyness) / deviation - deviation / 2);
    return Math.min(1, sum);
  }

  /**
   * The density of price / forward: ∂²call/∂strike².
   * @param moneyness strike / forward, above 0
   */
  density(moneyness: number): number {
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts)
      sum += (weight / (moneyness * deviation)) * normalDensity(Math.log(mean / moneyness) / deviation - deviation / 2);
    return sum;
  }
}

/** A quoted call, undiscounted, as shares of the forward. */
export interface FitPoint {
  readonly moneyness: number;
  readonly call: number;
  /** Uncertainty of the price: half of its spread. */
  readonly half: number;
}

/** Rows of kernels: width and spacing in at-the-money deviations, and how far out they extend. */
const ROWS = [
  { width: 0.5, spacing: 0.25, reach: 4 },
  { width: 1, spacing: 0.5, reach: 6 },
  { width: 2, spacing: 1, reach: 12 },
] as const;

/** How strongly neighbouring narrow kernels are smoothed, relative to a quote that is off by half its spread. */
const SMOOTHNESS = 3;
/** Keeps the problem solvable where kernels overlap; far below the weight of any quote. */
const RIDGE = 1e-7;
/** The minimum uncertainty of a quote, as a share of the forward. */
const LEAST_HALF = 1e-6;

interface Kernel {
  readonly mean: number;
  readonly deviation: number;
}

const kernelsFor = (points: readonly FitPoint[], deviation: number): { all: Kernel[]; narrow: number } => {
  const logs = points.map(({ moneyness }) => Math.log(moneyness) / deviation);
  const low = Math.min(-3, ...logs) - 1;
  const high = Math.max(3, ...logs) + 1;
  const rows = ROWS.map(({ width, spacing, reach }) => {
    const from = Math.ceil(Math.max(-reach, low) / spacing);
    const to = Math.floor(Math.min(reach, high) / spacing);
    return Array.from({ length: to - from + 1 }, (_, index) => ({
      mean: Math.exp((from + index) * spacing * deviation),
      deviation: width * deviation,
    }));
  });
  return { all: rows.flat(), narrow: rows[0]?.length ?? 0 };
};

/** A square zero matrix with indices from 1. */
const square = (size: number): number[][] => Array.from({ length: size + 1 }, () => new Array<number>(size + 1).fill(0));

/** Adds weight · rowᵀrow to a matrix and weight · target · row to a vector, indices from 1. */
const addRow = (matrix: number[][], vector: number[], row: readonly number[], target: number, weight: number): void => {
  for (let i = 0; i < row.length; i++) {
    const scaled = weight * (row[i] ?? 0);
    if (scaled === 0) continue;
    const line = matrix[i + 1] ?? [];
    for (let j = 0; j < row.length; j++) line[j + 1] = (line[j + 1] ?? 0) + scaled * (row[j] ?? 0);
    vector[i + 1] = (vector[i + 1] ?? 0) + scaled * target;
  }
};

/** Constraints in columns from 1: total one and mean one as equalities, then non-negative weights, then the floors. */
const conditionsOf = (
  kernels: readonly Kernel[],
  floors: readonly { readonly row: readonly number[]; readonly least: number }[],
): { conditions: number[][]; bounds: number[] } => {
  const size = kernels.length;
  const columns = 2 + size + floors.length;
  const conditions = Array.from({ length: size + 1 }, () => new Array<number>(columns + 1).fill(0));
  kernels.forEach(({ mean }, index) => {
    const line = conditions[index + 1] ?? [];
    line[1] = 1;
    line[2] = mean;
    line[index + 3] = 1;
    floors.forEach(({ row }, at) => {
      line[size + 3 + at] = row[index] ?? 0;
    });
  });
  return { conditions, bounds: [0, 1, 1, ...new Array<number>(size).fill(0), ...floors.map(({ least }) => least)] };
};

/** Removes rounding errors: no weight below zero, total one, mean one. */
const settle = (kernels: readonly Kernel[], weights: readonly number[]): LognormalMixture => {
  const parts: MixturePart[] = kernels
    .map((kernel, index) => ({ ...kernel, weight: Math.max(0, weights[index + 1] ?? 0) }))
    .filter(({ weight }) => weight > 1e-12);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const mean = parts.reduce((sum, part) => sum + part.weight * part.mean, 0) / total;
  return new LognormalMixture(
    parts.map((part) => ({ weight: part.weight / total, mean: part.mean / mean, deviation: part.deviation })),
  );
};

/** The minimum price of a call: that of the same moneyness one expiry earlier. */
export type CallFloor = Pick<FitPoint, "moneyness" | "call">;

/**
 * Fits a distribution of mean one to quoted calls.
 * @param points at least one
 * @param deviation volatility × √time at the money, which sets the width of the kernels
 * @param floors minimum prices of calls, so that no calendar spread has a negative price
 * @returns null when no mixture of these kernels satisfies the floors
 */
export const fitMixture = (
  points: readonly FitPoint[],
  deviation: number,
  floors: readonly CallFloor[] = [],
): LognormalMixture | null => {
  const { all, narrow } = kernelsFor(points, deviation);
  const callsAt = (moneyness: number): number[] =>
    all.map((kernel) => kernel.mean * blackCall(moneyness / kernel.mean, kernel.deviation));
  const size = all.length;
  const matrix = square(size);
  const vector = new Array<number>(size + 1).fill(0);
  for (const { moneyness, call, half } of points) {
    addRow(matrix, vector, callsAt(moneyness), call, 1 / Math.max(half, LEAST_HALF) ** 2);
  }
  for (let at = 1; at < narrow - 1; at++) {
    const row = new Array<number>(size).fill(0);
    row[at - 1] = 1;
    row[at] = -2;
    row[at + 1] = 1;
    addRow(matrix, vector, row, 0, SMOOTHNESS ** 2);
  }
  const largest = Math.max(...matrix.slice(1).map((line, index) => line[index + 1] ?? 0));
  // The solver distinguishes zero from rounding by absolute size, so the problem is scaled to order one.
  for (let i = 1; i <= size; i++) {
    const line = matrix[i] ?? [];
    for (let j = 1; j <= size; j++) line[j] = (line[j] ?? 0) / largest + (i === j ? RIDGE : 0);
    vector[i] = (vector[i] ?? 0) / largest;
  }
  const { conditions, bounds } = conditionsOf(
    all,
    floors.map(({ moneyness, call }) => ({ row: callsAt(moneyness), least: call })),
  );
  const { solution, message } = quadprog.solveQP(matrix, vector, conditions, bounds, 2);
  return message === "" ? settle(all, solution) : null;
};
