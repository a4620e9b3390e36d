/** Property tests over HTTP: many seeded inputs; a failing one is shrunk, within a limit. */
import fc from "fast-check";
import type { Input } from "../inputs/sample.ts";
import type { Tell } from "../report/recorder.ts";
import type { RouteTrial } from "../route-trial.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";

/** What is wrong with the answer to one input. */
export interface Finding {
  readonly what: string;
  readonly says: string;
  readonly exchange: Exchange;
}

/** Requests spent on shrinking a failing input. */
const SHRINK_BUDGET = 20;

/** A seed per property, so that its inputs do not depend on what ran before it. */
const seedFor = (seed: number, name: string): number =>
  [...name].reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619), seed ^ 0x811c9dc5) | 0;

/** One property of a route. */
export interface RouteProperty<T> {
  /** Names it among the route's properties, and seeds it. */
  readonly name: string;
  readonly inputs: fc.Arbitrary<T>;
  readonly runs: number;
  /** Sends one input; null when the answer is correct. */
  examine(input: T): Promise<Finding | null>;
}

/**
 * Runs a property and reports the smallest failing input found.
 * @throws NotChecked when the allowance ran out before it failed
 */
export const holds = async <T>(tell: Tell, trial: RouteTrial, property: RouteProperty<T>): Promise<void> => {
  let last: Finding | null = null;
  let stopped: unknown;
  let budget = SHRINK_BUDGET;
  const predicate = async (input: T): Promise<boolean> => {
    if (stopped !== undefined || (last !== null && budget <= 0)) return true;
    if (last !== null) budget -= 1;
    try {
      const finding = await property.examine(input);
      last = finding ?? last;
      return finding === null;
    } catch (error) {
      stopped = error;
      return true;
    }
  };
  await fc.check(fc.asyncProperty(property.inputs, predicate), {
    seed: seedFor(trial.run.seed, `${trial.name}/${property.name}`),
    numRuns: property.runs,
  });
  const found = last as Finding | null; // assigned in the predicate, which the compiler does not track
  if (found) tell(`${found.what} (seed ${trial.run.seed})`, found.says, found.exchange);
  else if (stopped !== undefined) throw stopped instanceof Error ? stopped : new NotChecked(String(stopped));
};

/**
 * How many times a property runs: a route without parameters has only one input, and requests with side effects are limited.
 */
export const runsOf = ({ route, run }: RouteTrial): number => {
  if (Object.keys(route.input.shape).length === 0) return 1;
  return route.method === "POST" ? Math.min(run.runs, 2) : run.runs;
};

/** Sends an input and checks the answer against the rules and any other expectation. */
export const examine = async (
  trial: RouteTrial,
  input: Input,
  expected: (exchange: Exchange) => Omit<Finding, "exchange"> | null = () => null,
): Promise<Finding | null> => {
  const { exchange, faults } = await trial.probe({ input });
  const [fault] = faults;
  const finding = expected(exchange) ?? (fault ? { what: `${fault.rule.title}: ${fault.text}`, says: fault.rule.says } : null);
  return finding && { ...finding, exchange };
};
