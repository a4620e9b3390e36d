/** Rows of the failure table: what clients see before, during and after something fails. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { type Follower, summary } from "./follower.ts";

/** Answers that are waited for in each phase. */
const ENOUGH = 60;

/** What the clients ask: from memory, of several instruments, of stored bars, and with a rate. */
export const ASKED = [
  "/v1/spot/gold",
  "/v1/prices?include=all",
  "/v1/bars?symbol=XAU/USD&interval=1d&from=2020-01-01&to=2036-01-01&limit=20",
  "/v1/convert?from=XAU&to=EUR",
] as const;

export interface Failure {
  readonly fail: () => unknown;
  /** What holds before it is put right; text is part of the row. */
  readonly until?: () => unknown;
  readonly recover: () => unknown;
  /** Statuses that are allowed during the failure; before and after it is 200 only. */
  readonly mayAnswer?: readonly string[];
}

interface Watchers {
  readonly witness: Witness;
  readonly followers: readonly Follower[];
  /** Waits until everything is as before the failure. */
  readonly untilWell: () => Promise<void>;
}

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
  async row(what: string, { fail, until, recover, mayAnswer = ["200"] }: Failure): Promise<void> {
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
      await recover();
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

type Phase = "before" | "during" | "after";

interface Seen {
  /** By status, or by the connection's error. */
  readonly outcomes: Map<string, number>;
  slowestMs: number;
}

/** Requests per client and second are bounded: the machine is shared with the service. */
const PAUSE_MS = 15;

const ask = (agent: Agent, url: string, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.on("error", failed);
      response.on("end", () => resolve(String(response.statusCode)));
    });
    sent.on("error", failed);
    sent.end();
  });

/** Clients that ask again and again until they are stopped. */
export class Witness {
  readonly #agent: Agent;
  readonly #working: readonly Promise<void>[];
  #phase: Phase = "before";
  #seen = new Map<Phase, Seen>();
  #isOver = false;

  /** @param paths each is asked by one client */
  constructor(url: string, key: string, paths: readonly string[]) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: paths.length });
    this.#working = paths.map((path) => this.#work(`${url}${path}`, { authorization: `Bearer ${key}` }));
  }

  /** Begins a phase; `before` also begins a new failure. */
  begin(phase: Phase): void {
    if (phase === "before") this.#seen = new Map();
    this.#phase = phase;
  }

  in(phase: Phase): Seen {
    const known = this.#seen.get(phase) ?? { outcomes: new Map<string, number>(), slowestMs: 0 };
    this.#seen.set(phase, known);
    return known;
  }

  /** Waits for more answers in the current phase. */
  async until(answers: number): Promise<void> {
    const { outcomes } = this.in(this.#phase);
    const count = (): number => [...outcomes.values()].reduce((sum, each) => sum + each, 0);
    const enough = count() + answers;
    while (count() < enough) await pause(PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
    this.#agent.destroy();
  }

  async #work(url: string, headers: Record<string, string>): Promise<void> {
    while (!this.#isOver) {
      const startedMs = performance.now();
      // An answer belongs to the phase in which it was asked for.
      const seen = this.in(this.#phase);
      const outcome = await ask(this.#agent, url, headers);
      seen.outcomes.set(outcome, (seen.outcomes.get(outcome) ?? 0) + 1);
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedMs);
      await pause(PAUSE_MS);
    }
  }
}

/** A phase in words: `212 × 200, 3 × 503, slowest 41 ms`. */
export const inWords = ({ outcomes, slowestMs }: Seen): string =>
  [
    ...[...outcomes].sort(([left], [right]) => left.localeCompare(right)).map(([outcome, count]) => `${count} × ${outcome}`),
    `slowest ${Math.round(slowestMs)} ms`,
  ].join(", ");
