/** Several runs of a goal: the median of each figure, its spread, and how busy the machine was meanwhile. */
import type { Figure, Goal, RunOptions } from "../goal.ts";
import { isBusy, type MachineUse, readMachine, useBetween } from "./machine.ts";

/** Goals are judged by the median of at least this many runs. */
export const JUDGED_FROM = 3;

/** One figure over all runs. */
export interface Measured {
  /** That of the run with the median value. */
  readonly figure: Figure;
  /** Of every run, ascending. */
  readonly values: readonly number[];
  /** While the goal was measured. */
  readonly use: MachineUse;
}

/** Sets the same figure of several runs together. */
export const mergeRuns = (figures: readonly Figure[], use: MachineUse): Measured[] =>
  [...new Set(figures.map(({ what }) => what))].flatMap((what) => {
    const sorted = figures.filter((each) => each.what === what).toSorted((left, right) => left.value - right.value);
    const figure = sorted[(sorted.length - 1) >> 1];
    return figure ? [{ figure, values: sorted.map(({ value }) => value), use }] : [];
  });

/** Runs a goal so many times. */
export const measure = async (goal: Goal, options: RunOptions, runs: number): Promise<Measured[]> => {
  const figures: Figure[] = [];
  const before = readMachine();
  const named = `${goal.id}: ${goal.what}${goal.floor === null ? "" : `, beside ${goal.floor}`}`;
  for (let run = 1; run <= runs; run += 1) {
    process.stderr.write(`${named}: run ${run} of ${runs}\n`);
    figures.push(...(await goal.run(options)));
  }
  return mergeRuns(figures, useBetween(before, readMachine()));
};

/** Whether others used the machine so much that a figure means nothing. */
export const isDisturbed = ({ figure, use }: Measured): boolean => figure.isCount !== true && isBusy(use);
