/** A claim: one thing that must hold for a route, why, and how it is shown; and an attempt to show it. */
import type { Route } from "@assay/contract";
import { pendingOf } from "../introduce.ts";
import { bounded, type Failure, failureOf, type Group, type Result } from "../report/outcome.ts";
import type { Trial, TrialRequest } from "../trial.ts";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, NotChecked, Unreachable } from "../wire/exchange.ts";
import { keylessOf, type Need, type Scope } from "../world.ts";
import { answered, inWords, meets, plainExpectation } from "./expectation.ts";
import type { CallerKind, Expectation } from "./outcomes.ts";

/** One thing that must hold for a route. */
export interface Claim {
  readonly group: Group;
  readonly title: string;
  /** What the contract says, in a sentence. */
  readonly why: string;
  /** What it needs that a service may still be making: until it has it, a difference is none. */
  readonly needs?: Need;
  /** The caller whose allowance it needs, when that is not the route's main one. */
  readonly as?: CallerKind;
  /** Sends what shows it, and reports every difference. */
  check(it: Attempt): Promise<void>;
}

export type Family = (route: Route, scope: Scope) => readonly Claim[];

export class Attempt {
  readonly trial: Trial;
  readonly claim: Claim;
  readonly failures: Failure[] = [];

  constructor(trial: Trial, claim: Claim) {
    this.trial = trial;
    this.claim = claim;
  }

  get route(): Route {
    return this.trial.route;
  }

  get world(): Trial["world"] {
    return this.trial.world;
  }

  /** A caller without a key. */
  get keyless(): Caller {
    return keylessOf(this.world.catalog);
  }

  /** What the route's minimal request should get. */
  get plain(): Expectation {
    return plainExpectation(this.route, this.world.lab?.samples[this.trial.name] !== undefined);
  }

  ask(options?: TrialRequest): Promise<Exchange> {
    return this.trial.ask(options);
  }

  /** Reports a difference; the attempt continues. */
  fault(what: string, exchange?: Exchange, why = this.claim.why): void {
    this.failures.push(failureOf(what, why, exchange));
  }

  /** Reports every difference of an answer. */
  faults(what: readonly string[], exchange: Exchange, why?: string): void {
    for (const each of what) this.fault(each, exchange, why);
  }

  /** Reports an answer that does not match an expectation. */
  expect(exchange: Exchange, expected: Expectation, why = this.claim.why, route = this.route): boolean {
    const isMet = meets(route, exchange, expected);
    const wanted = inWords(route, expected);
    if (!isMet) this.fault(`answered ${answered(exchange)} instead of ${wanted}`, exchange, `${wanted}: ${why}`);
    return isMet;
  }
}

/** What a claim needs and the service is still making, or was when the run began; undefined for nothing. */
const missingFor = async ({ world }: Trial, { needs }: Claim): Promise<string | undefined> => {
  if (needs === undefined || world.isLab) return undefined;
  return world.pending?.get(needs) ?? (await pendingOf(world.service).catch(() => undefined))?.get(needs);
};

/** Tries a claim: it fails when it reports a difference, is left unchecked on NotChecked, and passes otherwise. */
export const settle = async (trial: Trial, claim: Claim): Promise<Result> => {
  const startMs = performance.now();
  const attempt = new Attempt(trial, claim);
  const { failures } = attempt;
  let reason: string | undefined;
  try {
    await claim.check(attempt);
  } catch (error) {
    if (error instanceof NotChecked) reason = error.message;
    else if (error instanceof Unreachable) failures.push(failureOf(`no answer: ${error.message}`, "every request is answered"));
    // A check that an answer stops has an answer that nobody declared.
    else failures.push(failureOf(`the check was stopped by an answer: ${String(error)}`, claim.why));
  }
  const { group, title } = claim;
  const missing = failures.length > 0 ? await missingFor(trial, claim) : undefined;
  if (missing !== undefined) {
    failures.length = 0;
    reason = `${missing}, says GET /v1/status`;
  }
  const status = failures.length > 0 ? "failed" : reason === undefined ? "passed" : "not checked";
  return {
    route: trial.name,
    group,
    title,
    status,
    // Differences found before the allowance ran out count.
    ...(status === "not checked" && reason !== undefined ? { reason } : {}),
    failures: bounded(failures),
    durationMs: performance.now() - startMs,
  };
};

/** A claim that cannot be tried. */
export const unchecked = (route: string, group: Group, title: string, reason: string): Result => ({
  route,
  group,
  title,
  status: "not checked",
  reason,
  failures: [],
  durationMs: 0,
});
