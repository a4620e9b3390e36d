/** Rows of the failure table: what clients see before, during and after something fails. */
import { expect } from "vitest";
import { type Follower, summary } from "./follower.ts";
import { inWords, type Phase, type Witness } from "./witness.ts";

/** Answers that are waited for in each phase. */
const ENOUGH = 60;

/** What the clients ask: from memory, of several instruments, of stored bars, and with a rate. */
export const ASKED = [
  "/v1/spot/gold",
  "/v1/prices?include=all",
  "/v1/bars?symbol=XAU/USD&interval=1d&from=2020-01-01&to=2036-01-01&limit=20",
  "/v1/convert?from=XAU&to=EUR",
] as const;

/** One failure. */
export interface Failure {
  readonly fail: () => unknown;
  /** What holds before it is put right; text is part of the row. */
  readonly until?: () => unknown;
  readonly mend: () => unknown;
  /** Statuses that are allowed during the failure; before and after it is 200 only. */
  readonly mayAnswer?: readonly string[];
}

/** Whom the table is about. */
export interface Watchers {
  readonly witness: Witness;
  readonly followers: readonly Follower[];
  /** Waits until everything is as before the failure. */
  readonly untilWell: () => Promise<void>;
}

/** The rows so far. */
export class FailureTable {
  readonly #rows: string[] = [];
  readonly #watchers: Watchers;

  constructor(watchers: Watchers) {
    this.#watchers = watchers;
  }

  toString(): string {
    return this.#rows.join("\n");
  }

  /** Adds a row: makes something fail, and puts it right. */
  async row(what: string, { fail, until, mend, mayAnswer = ["200"] }: Failure): Promise<void> {
    const { witness, followers, untilWell } = this.#watchers;
    witness.begin("before");
    await witness.until(ENOUGH);
    witness.begin("during");
    let said: unknown;
    try {
      await fail();
      said = await until?.();
      await witness.until(ENOUGH);
    } finally {
      // Also after a row that fails: the next ones begin with everything well.
      await mend();
    }
    await untilWell();
    witness.begin("after");
    await witness.until(ENOUGH);
    const phases: readonly Phase[] = ["before", "during", "after"];
    const { gaps, closes } = summary(followers);
    this.#rows.push(
      [
        what,
        ...phases.map((phase) => `  ${phase.padEnd(6)} ${inWords(witness.in(phase))}`),
        ...(typeof said === "string" ? [`  ${said}`] : []),
        `  ${followers.length} followers so far: ${gaps} gaps, closes ${JSON.stringify(closes)}`,
      ].join("\n"),
    );
    const strange = (phase: Phase, may: readonly string[]): string[] =>
      [...witness.in(phase).outcomes.keys()].filter((outcome) => !may.includes(outcome));
    expect(strange("before", ["200"]), `${what}: before`).toEqual([]);
    expect(strange("during", mayAnswer), `${what}: during`).toEqual([]);
    expect(strange("after", ["200"]), `${what}: after`).toEqual([]);
  }
}
