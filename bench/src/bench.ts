/** What a benchmark is, and what it finds. */

/** A goal's bound: `atMost` for what should be small, `atLeast` for what should be large. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One figure beside its goal. */
export interface Finding {
  /** The goal it belongs to, such as P1. */
  readonly id: string;
  readonly what: string;
  readonly figure: number;
  /** `×` for ratios, or a unit. */
  readonly unit: "×" | "µs" | "ms" | "s" | "MiB" | "KiB";
  /** None for figures that are only told. */
  readonly goal?: Goal;
  /** The raw figures behind it. */
  readonly raw: string;
}

/** What benchmarks are given. */
export interface BenchContext {
  /** A PostgreSQL server; null when none answers. */
  readonly databaseUrl: string | null;
  /** Whether a goal was asked for. */
  wants(id: string): boolean;
  /** Whether a number of streaming clients was asked for. */
  wantsClients(count: number): boolean;
  report(finding: Finding): void;
  /** Says why something was left out. */
  skip(id: string, why: string): void;
}

/** One benchmark: the goals it is about, and how it finds their figures. */
export interface Bench {
  readonly ids: readonly string[];
  run(context: BenchContext): Promise<void>;
}

/** Whether a figure is within its goal. */
export const isReached = (figure: number, goal: Goal): boolean =>
  "atMost" in goal ? figure <= goal.atMost : figure >= goal.atLeast;
