/** What a goal declares, and what a run of it finds. */

/** `atMost` for what should be small, `atLeast` for what should be large. */
export type Bound = { readonly atMost: number } | { readonly atLeast: number };

/** One measured figure. */
export interface Figure {
  /** Its name: with the goal's id, that in the baseline. */
  readonly what: string;
  readonly value: number;
  /** `×` for ratios. */
  readonly unit: "×" | "ms" | "s" | "%" | "kB" | "MiB" | "GB";
  /** None where the figure is only printed. */
  readonly bound?: Bound;
  /** Counted, not timed: the same on a busy machine. */
  readonly isCount?: true;
  /** The raw figures it was computed from. */
  readonly raw: string;
}

/** How a goal is run. */
export interface RunOptions {
  /** For a comparison with the baseline, within minutes: only what that needs. */
  readonly isCheck: boolean;
  /** How long to wait, where a goal is about time that passes; undefined for the goal's own. */
  readonly minutes: number | undefined;
}

/** A goal. */
export interface Goal {
  /** Such as P1. */
  readonly id: string;
  readonly what: string;
  /** What is measured beside it in the same run: a ratio is to this. Null for what has a bound of its own. */
  readonly floor: string | null;
  /** Takes an hour: it runs once, and only when it is named. */
  readonly isLong?: true;
  /** @throws NotMeasured when something it needs is missing */
  run(options: RunOptions): Promise<readonly Figure[]>;
}

/** Why a goal could not be measured here. */
export class NotMeasured extends Error {}

/** Whether a value is within its bound. */
export const isReached = (value: number, bound: Bound): boolean =>
  "atMost" in bound ? value <= bound.atMost : value >= bound.atLeast;
