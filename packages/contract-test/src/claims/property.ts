/** Property tests over HTTP: many seeded inputs; a failing one is shrunk, within a limit. */
import { isChanging, takesBody } from "@assay/contract";
import fc from "fast-check";
import { isStreamed } from "../routes.ts";
import type { TrialRequest } from "../trial.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";
import type { Attempt } from "./claim.ts";

/** What is wrong with the answer to one input. */
export interface Finding {
  readonly what: string;
  readonly says: string;
}

/** An answer, and what is wrong with it. */
export interface Examined {
  readonly exchange: Exchange;
  readonly finding: Finding | null;
}

/** Requests spent on shrinking a failing input. */
const SHRINK_BUDGET = 20;
/** A stream holds a place for a while. */
const MOST_STREAMS = 20;

/** A seed per property, so that its inputs do not depend on what ran before it. */
const seedFor = (seed: number, name: string): number =>
  [...name].reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619), seed ^ 0x811c9dc5) | 0;

export interface RouteProperty<T> {
  /** Names it among the route's properties, and seeds it. */
  readonly name: string;
  readonly inputs: fc.Arbitrary<T>;
  readonly runs: number;
  /** Inputs that are always tried, before the others. */
  readonly examples?: readonly T[];
  /** Sends one. */
  examine(input: T): Promise<Examined>;
}

/**
 * Sends a request, and judges the answer by the rules.
 * @param judge what is wrong with it besides
 */
export const examine = async (
  it: Attempt,
  request: TrialRequest,
  judge: (exchange: Exchange) => Finding | null = () => null,
): Promise<Examined> => {
  const { exchange, faults } = await it.trial.probe(request);
  const [fault] = faults;
  return {
    exchange,
    finding: judge(exchange) ?? (fault ? { what: `${fault.rule.title}: ${fault.text}`, says: fault.rule.says } : null),
  };
};

/**
 * Runs a property and reports the smallest failing input found.
 * @throws NotChecked when the allowance ran out before it failed
 */
export const holds = async <T>(it: Attempt, property: RouteProperty<T>): Promise<void> => {
  const { seed } = it.world;
  const { examples = [] } = property;
  let last: Examined | null = null;
  let stopped: unknown;
  let budget = SHRINK_BUDGET;
  const predicate = async (input: T): Promise<boolean> => {
    if (stopped !== undefined || (last !== null && budget <= 0)) return true;
    if (last !== null) budget -= 1;
    try {
      const examined = await property.examine(input);
      if (examined.finding) last = examined;
      return examined.finding === null;
    } catch (error) {
      stopped = error;
      return true;
    }
  };
  await fc.check(fc.asyncProperty(property.inputs, predicate), {
    seed: seedFor(seed, `${it.trial.name}/${property.name}`),
    numRuns: examples.length + property.runs,
    examples: examples.map((input): [T] => [input]),
  });
  const found = last as Examined | null; // assigned in the predicate, which the compiler does not track
  if (found?.finding) it.fault(`${found.finding.what} (seed ${seed})`, found.exchange, found.finding.says);
  else if (stopped !== undefined) throw stopped instanceof Error ? stopped : new NotChecked(String(stopped));
};

/** How many times a property runs: a route without parameters has only one input, and requests with side effects are limited. */
export const runsOf = ({ route, world }: Attempt): number => {
  if (Object.keys(route.input.shape).length === 0) return 1;
  if (takesBody(route) && isChanging(route)) return Math.min(world.runs, 2);
  return isStreamed(route) ? Math.min(world.runs, MOST_STREAMS) : world.runs;
};
