/** Figures to compare a run with, each by the speed of the machine, with the margin beyond which it has become worse. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Finding } from "../bench.ts";

const PATH = fileURLToPath(new URL("../../baseline.json", import.meta.url));

/** A figure, and the floor of the machine it was measured on: CPU of a bare node:http answer in microseconds. */
export interface Point {
  readonly floor: number;
  readonly figure: number;
}

/** One figure of the baseline. Between two points it is on the line between them, outside of them that of the nearer one. */
export interface BaselineFigure {
  readonly id: string;
  /** The finding's `what`. */
  readonly what: string;
  /** Ascending by floor. */
  readonly at: readonly Point[];
  /** How much worse it may be, as a share: 0.2 is a fifth. */
  readonly margin: number;
}

/** The file. Which figures it holds, and their margins, are edited by hand; the points are written by `--write-baseline`. */
export interface Baseline {
  readonly figures: readonly BaselineFigure[];
}

/** Machines whose floors differ by less are the same. */
const SAME_FLOOR = 2;

/** The figure for a machine; NaN where none was written. */
export const figureAt = ({ at }: Pick<BaselineFigure, "at">, floor: number): number => {
  const above = at.findIndex((point) => point.floor >= floor);
  const [right, left] = above === -1 ? [at.at(-1), at.at(-1)] : [at[above], at[above - 1] ?? at[above]];
  if (!left || !right) return Number.NaN;
  if (left.floor === right.floor) return left.figure;
  return left.figure + ((right.figure - left.figure) * (floor - left.floor)) / (right.floor - left.floor);
};

/** The points with a new one, which replaces what a machine as fast had. */
export const withPoint = (at: readonly Point[], { floor, figure }: Point): Point[] =>
  [
    ...at.filter((point) => Math.abs(point.floor - floor) >= SAME_FLOOR),
    { floor: Number(floor.toFixed(1)), figure: Number(figure.toPrecision(3)) },
  ].toSorted((left, right) => left.floor - right.floor);

/** Whether a figure is worse than the baseline by more than the margin. A figure that is not a number is. */
export const isWorse = (base: BaselineFigure, floor: number, { figure, goal }: Pick<Finding, "figure" | "goal">): boolean => {
  const isBetterHigher = goal !== undefined && "atLeast" in goal;
  const bound = figureAt(base, floor);
  return isBetterHigher ? !(figure >= bound * (1 - base.margin)) : !(figure <= bound * (1 + base.margin));
};

/** The figure, the baseline and the margin in words. */
export const comparison = (base: BaselineFigure, floor: number, figure: number): string =>
  `${figure.toFixed(2)}, baseline ${figureAt(base, floor).toFixed(2)}, margin ${(base.margin * 100).toFixed(0)} %`;

/** Reads the file. */
export const readBaseline = (): Baseline => JSON.parse(readFileSync(PATH, "utf8")) as Baseline; // our own format

/** Writes the file. */
export const writeBaseline = (baseline: Baseline): void => writeFileSync(PATH, `${JSON.stringify(baseline, null, 2)}\n`);
