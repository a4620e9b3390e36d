/** Figures to compare a run with, each with the margin beyond which it has become worse. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Finding } from "../bench.ts";

const PATH = fileURLToPath(new URL("../../baseline.json", import.meta.url));

/** One figure of the baseline. */
export interface BaselineFigure {
  readonly id: string;
  /** The finding's `what`. */
  readonly what: string;
  /** Null until it is written. */
  readonly figure: number | null;
  /** How much worse it may be, as a share: 0.2 is a fifth. */
  readonly margin: number;
}

/** The file. Which figures it holds, and their margins, are edited by hand; the figures are written by `--write-baseline`. */
export interface Baseline {
  /** Where the figures were measured. */
  readonly machine: string;
  readonly figures: readonly BaselineFigure[];
}

/** A figure that was written. */
export type WrittenFigure = BaselineFigure & { readonly figure: number };

/** Whether a figure was written, so that there is something to compare with. */
export const isWritten = (base: BaselineFigure): base is WrittenFigure => base.figure !== null;

/** Whether a figure is worse than the baseline by more than the margin. A figure that is not a number is. */
export const isWorse = (base: WrittenFigure, { figure, goal }: Pick<Finding, "figure" | "goal">): boolean => {
  const isBetterHigher = goal !== undefined && "atLeast" in goal;
  return isBetterHigher ? !(figure >= base.figure * (1 - base.margin)) : !(figure <= base.figure * (1 + base.margin));
};

/** The figure, the baseline and the margin in words. */
export const comparison = (base: WrittenFigure, figure: number): string =>
  `${figure.toFixed(2)}, baseline ${base.figure.toFixed(2)}, margin ${(base.margin * 100).toFixed(0)} %`;

/** Reads the file. */
export const readBaseline = (): Baseline => JSON.parse(readFileSync(PATH, "utf8")) as Baseline; // our own format

/** Writes the file. */
export const writeBaseline = (baseline: Baseline): void => writeFileSync(PATH, `${JSON.stringify(baseline, null, 2)}\n`);
