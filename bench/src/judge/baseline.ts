/** Figures to compare a run with, each by the speed of the machine, with the margin beyond which it has become worse. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Figure } from "../goal.ts";

const PATH = fileURLToPath(new URL("../../baseline.json", import.meta.url));

/** A figure, and the floor of the machine it was measured on: CPU of a bare node:http answer in microseconds. */
export interface Point {
  readonly floor: number;
  readonly figure: number;
}

/** One figure of the baseline. Between two points it is on the line between them, outside of them that of the nearer one. */
export interface BaselineFigure {
  readonly id: string;
  /** The figure's `what`. */
  readonly what: string;
  /** Ascending by floor. */
  readonly at: readonly Point[];
  /** How much worse it may be, as a share: 0.2 is a fifth. */
  readonly margin: number;
}

/** The figure for a machine; NaN where none was written. */
export const figureAt = ({ at }: Pick<BaselineFigure, "at">, floor: number): number => {
  const above = at.findIndex((point) => point.floor >= floor);
  const [right, left] = above === -1 ? [at.at(-1), at.at(-1)] : [at[above], at[above - 1] ?? at[above]];
  if (!left || !right) return Number.NaN;
  if (left.floor === right.floor) return left.figure;
  return left.figure + ((right.figure - left.figure) * (floor - left.floor)) / (right.floor - left.floor);
};

/** Whether a figure is worse than the baseline by more than the margin. A figure that is not a number is. */
export const isWorse = (base: BaselineFigure, floor: number, { value, bound }: Pick<Figure, "value" | "bound">): boolean => {
  const isBetterHigher = bound !== undefined && "atLeast" in bound;
  const expected = figureAt(base, floor);
  return isBetterHigher ? !(value >= expected * (1 - base.margin)) : !(value <= expected * (1 + base.margin));
};

/** The figure, the baseline and the margin in words. */
export const comparison = (base: BaselineFigure, floor: number, value: number): string =>
  `${value.toFixed(2)}, baseline ${figureAt(base, floor).toFixed(2)}, margin ${(base.margin * 100).toFixed(0)} %`;

/** Reads the file, which is edited by hand. */
export const readBaseline = (): readonly BaselineFigure[] => JSON.parse(readFileSync(PATH, "utf8")).figures;
