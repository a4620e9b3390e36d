/** The types of a benchmark and its results. */

/** The bound of a goal: `atMost` for what should be small, `atLeast` for what should be large. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One figure with its goal. */
export interface Finding {
  /** The goal it belongs to, such as P1. */
  readonly id: string;
  readonly what: string;
  readonly figure: number;
  /** `×` for ratios, or a unit. */
  readonly unit: "×" | "µs" | "ms" | "s" | "MiB" | "KiB" | "files";
  /** Counted, not timed: the same on a busy machine. */
  readonly isCount?: true;
  /** None for informational figures. */
  readonly goal?: Goal;
  /** The raw figures it was computed from. */
  readonly raw: string;
}

/** What benchmarks receive. */
export interface BenchContext {
  /** A PostgreSQL server; null when none is available. */
  readonly databaseUrl: string | null;
  /** A Redis server; null when none is available. */
  readonly redisUrl: string | null;
  /** Whether a goal was selected. */
  wants(id: string): boolean;
  /** Whether a number of streaming clients was selected. */
  wantsClients(count: number): boolean;
  /** Whether what takes much longer was selected. */
  readonly isDeep: boolean;
  /** How long what runs for long does. */
  readonly minutes: number;
  report(finding: Finding): void;
  /** Reports why something was skipped. */
  skip(id: string, why: string): void;
}

/** One benchmark: its goals, and how it measures them. */
export interface Bench {
  readonly ids: readonly string[];
  /** Takes an hour: it runs once, and only when it is named. */
  readonly isLong?: true;
  run(context: BenchContext): Promise<void>;
}

/** Whether a figure is within its goal. */
export const isReached = (figure: number, goal: Goal): boolean =>
  "atMost" in goal ? figure <= goal.atMost : figure >= goal.atLeast;
