/** Records the result of every check. */
import { type Exchange, NotChecked, Unreachable } from "../wire/exchange.ts";
import { failureOf } from "./failure.ts";
import type { Failure, Group, Result } from "./outcome.ts";

/** Reports a difference; the check continues. */
export type Tell = (what: string, contractSays: string, exchange?: Exchange) => void;

/** Failures of one kind are listed this many times, then only counted. */
const TOLD_PER_CHECK = 4;

/** The failures listed, plus the number of the rest. */
export const bounded = (failures: readonly Failure[]): Failure[] => {
  const more = failures.length - TOLD_PER_CHECK;
  if (more <= 0) return [...failures];
  return [
    ...failures.slice(0, TOLD_PER_CHECK),
    { what: `and ${more} more of this kind`, sent: "", cameBack: "", contractSays: "" },
  ];
};

/** The results of a run. */
export class Recorder {
  readonly results: Result[] = [];

  /** Runs a check: it fails when it reports a difference, is skipped on NotChecked, and passes otherwise. */
  async check(route: string, group: Group, title: string, body: (tell: Tell) => Promise<void>): Promise<void> {
    const startMs = performance.now();
    const failures: Failure[] = [];
    let reason: string | undefined;
    try {
      await body((what, says, exchange) => {
        failures.push(failureOf(what, says, exchange));
      });
    } catch (error) {
      if (error instanceof NotChecked) reason = error.message;
      else if (error instanceof Unreachable) failures.push(failureOf(`no answer: ${error.message}`, "every request is answered"));
      else throw error;
    }
    // Differences found before the allowance ran out count.
    const status = failures.length > 0 ? "failed" : reason === undefined ? "passed" : "not checked";
    this.results.push({
      route,
      group,
      title,
      status,
      ...(status === "not checked" && reason !== undefined ? { reason } : {}),
      failures: bounded(failures),
      durationMs: performance.now() - startMs,
    });
  }

  /** Records a check that cannot be run. */
  skip(route: string, group: Group, title: string, reason: string): void {
    this.results.push({ route, group, title, status: "not checked", reason, failures: [], durationMs: 0 });
  }
}
