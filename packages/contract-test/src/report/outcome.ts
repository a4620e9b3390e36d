/** The results of a run: one per check, and for each failure the request, the response and what the contract says. */

/** The families of checks, in the order of the table's columns. */
export const GROUPS = [
  "examples",
  "valid input",
  "invalid input",
  "access",
  "responses",
  "HTTP",
  "invariants",
  "document",
] as const;
/** A family of checks. */
export type Group = (typeof GROUPS)[number];

/** The status of a check. */
export type Status = "passed" | "failed" | "not checked";

/** One difference between the service and the contract. */
export interface Failure {
  readonly what: string;
  /** A curl command without the key; empty when nothing was sent. */
  readonly sent: string;
  readonly cameBack: string;
  readonly contractSays: string;
}

/** One check of one route. */
export interface Result {
  readonly route: string;
  readonly group: Group;
  readonly title: string;
  readonly status: Status;
  /** Why it was not checked. */
  readonly reason?: string;
  readonly failures: readonly Failure[];
  readonly durationMs: number;
}

/** A whole run. */
export interface Report {
  readonly baseUrl: string;
  readonly contractVersion: string;
  readonly seed: number;
  readonly callers: readonly string[];
  /** Why the service counts as gone from some point of the run; absent when it answered to the end. */
  readonly wentAway?: string;
  readonly requests: number;
  readonly durationMs: number;
  readonly results: readonly Result[];
}

/** Counts the results with a status. */
export const countOf = (results: readonly Result[], status: Status): number =>
  results.filter((result) => result.status === status).length;

/** Counts the results of each status. */
export const countsOf = (results: readonly Result[]) => ({
  passed: countOf(results, "passed"),
  failed: countOf(results, "failed"),
  notChecked: countOf(results, "not checked"),
});
