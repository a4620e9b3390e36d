/** Property tests over HTTP: many seeded inputs; a failing one is shrunk, within a limit. */
import { isChanging, takesBody } from "@assay/contract";
import fc from "fast-check";
import type { TrialRequest } from "../trial.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";
import type { Attempt } from "./claim.ts";

/** What is wrong with the answer to one input. */
export interface Finding {
  readonly what: string;
  readonly says: string;
}

/** Requests spent on shrinking a failing input. */
const SHRINK_BUDGET = 20;

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
  request(input: T): Promise<TrialRequest>;
  /** What is wrong with its answer, besides the rules it breaks. */
  judge(exchange: Exchange): Finding | null;
}

/** Sends one input, and judges the answer by the property and by the rules. */
const examine = async <T>(it: Attempt, { request, judge }: RouteProperty<T>, input: T) => {
  const { exchange, faults } = await it.trial.probe(await request(input));
  const [fault] = faults;
  const finding = judge(exchange) ?? (fault ? { what: `${fault.rule.title}: ${fault.text}`, says: fault.rule.says } : null);
  return finding && { ...finding, exchange };
};

/**
 * Runs a property and reports the smallest failing input found.
 * @throws NotChecked when the allowance ran out before it failed
 */
export const holds = async <T>(it: Attempt, property: RouteProperty<T>): Promise<void> => {
  const { seed } = it.world;
  const { examples = [] } = property;
  let last: (Finding & { readonly exchange: Exchange }) | null = null;
  let stopped: unknown;
  let budget = SHRINK_BUDGET;
  const predicate = async (input: T): Promise<boolean> => {
    if (stopped !== undefined || (last !== null && budget <= 0)) return true;
    if (last !== null) budget -= 1;
    try {
      const finding = await examine(it, property, input);
      last = finding ?? last;
      return finding === null;
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
  const found = last as (Finding & { readonly exchange: Exchange }) | null; // assigned in the predicate, which the compiler does not track
  if (found) it.fault(`${found.what} (seed ${seed})`, found.exchange, found.says);
  else if (stopped !== undefined) throw stopped instanceof Error ? stopped : new NotChecked(String(stopped));
};

/** How many times a property runs: a route without parameters has only one input, and requests with side effects are limited. */
export const runsOf = ({ route, world }: Attempt): number => {
  if (Object.keys(route.input.shape).length === 0) return 1;
  return takesBody(route) && isChanging(route) ? Math.min(world.runs, 2) : world.runs;
};
