/** Keeps what every check finds. */
import { type Exchange, NotChecked, Unreachable } from "../wire/exchange.ts";
import { failureOf } from "./failure.ts";
import type { Failure, Group, Result } from "./outcome.ts";

/** Tells of a difference; the check goes on. */
export type Tell = (what: string, contractSays: string, exchange?: Exchange) => void;

/** Failures of one kind are told of this many times, then counted. */
const TOLD_PER_CHECK = 4;

/** As many as are told, and how many more there are. */
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

  /** Makes a check: it fails by telling, is not checked when it says so, and passes otherwise. */
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
    // What was seen before the allowance ended counts.
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

  /** Notes a check that cannot be made. */
  skip(route: string, group: Group, title: string, reason: string): void {
    this.results.push({ route, group, title, status: "not checked", reason, failures: [], durationMs: 0 });
  }
}
