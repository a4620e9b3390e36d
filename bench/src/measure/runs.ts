/** Several runs of a benchmark: the median of each figure, its spread, and how busy the machine was meanwhile. */
import type { Bench, BenchContext, Finding } from "../bench.ts";
import { isBusy, type MachineUse, readMachine, useBetween } from "./machine.ts";

/** Goals are judged by the median of at least this many runs. */
export const JUDGED_FROM = 3;

/** One finding over all runs. */
export interface Measured {
  /** That of the run with the median figure. */
  readonly finding: Finding;
  /** Of every run, ascending. */
  readonly figures: readonly number[];
  /** While the benchmark ran. */
  readonly use: MachineUse;
}

const nameOf = ({ id, what }: Finding): string => `${id} ${what}`;

/** Sets the same finding of several runs together. */
export const mergeRuns = (findings: readonly Finding[], use: MachineUse): Measured[] => {
  const names = new Set(findings.map(nameOf));
  return [...names].flatMap((name) => {
    const group = findings.filter((each) => nameOf(each) === name);
    const sorted = group.toSorted((left, right) => left.figure - right.figure);
    const finding = sorted[(sorted.length - 1) >> 1];
    return finding ? [{ finding, figures: sorted.map(({ figure }) => figure), use }] : [];
  });
};

/** Runs a benchmark so many times; what it skips, it says once. */
export const measure = async (
  bench: Bench,
  context: Omit<BenchContext, "report">,
  runs: number,
  onRun: (run: number) => void,
): Promise<Measured[]> => {
  const findings: Finding[] = [];
  const skipped = new Set<string>();
  const skip = (id: string, why: string): void => {
    if (!skipped.has(id)) context.skip(id, why);
    skipped.add(id);
  };
  const before = readMachine();
  for (let run = 1; run <= runs; run += 1) {
    onRun(run);
    await bench.run({ ...context, skip, report: (finding) => findings.push(finding) });
  }
  return mergeRuns(findings, useBetween(before, readMachine()));
};

/** Whether others used the machine so much that a figure means nothing. */
export const isDisturbed = ({ finding, use }: Measured): boolean => finding.isCount !== true && isBusy(use);
