/**
 * Valid requests: the contract's examples and every value of its enumerations succeed, as do sensible ones generated from the
 * schemas; all others succeed or get a declared code.
 */
import { ERRORS, errorCodesOf, type Route } from "@assay/contract";
import { exampleInputs } from "../inputs/sample.ts";
import { isWellKnown, sensibleInputs, validInputs } from "../inputs/valid.ts";
import { codeOf, type Exchange } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import { seesEverything } from "../world.ts";
import type { Claim, Family } from "./claim.ts";
import { answered, isDeclared, meets } from "./expectation.ts";
import { holds, runsOf } from "./property.ts";

/** Refusals a caller of a low tier may get for any example. */
const GATES: ReadonlySet<string | undefined> = new Set(["plan_gated", "range_too_deep", "unknown_past"]);

/**
 * Whether a 404 is acceptable: where a client cannot know what exists, and where a redirect would lead to a file not yet
 * created.
 */
const mayBeMissing = (route: Route, code: string | undefined): boolean => {
  if (isWellKnown(route) && route.success.status !== 307) return false;
  return errorCodesOf(route).some((each) => each === code && each !== "disabled" && ERRORS[each].status === 404);
};

const examples: Claim = {
  group: "examples",
  title: "the contract's examples are answered",
  why: "it is an example of the contract",
  check: async (it) => {
    const { route, trial, world } = it;
    if (world.lab?.samples[trial.name]) return void it.expect(await it.ask(), it.plain);
    for (const input of exampleInputs(route, world.nowMs())) {
      const exchange = await it.ask({ input, priority: PRIORITY.invariant });
      if (GATES.has(codeOf(exchange)) && !seesEverything(exchange.sent.caller)) continue;
      if (route.success.status === 307 && mayBeMissing(route, codeOf(exchange))) continue;
      it.expect(exchange, it.plain);
    }
  },
};

/** Whether refusing a sensible request is acceptable: by the caller's tier, or where a client cannot know what exists. */
const isInOrder = (route: Route, exchange: Exchange): boolean => {
  const code = codeOf(exchange);
  if (GATES.has(code) && !seesEverything(exchange.sent.caller)) return true;
  return mayBeMissing(route, code);
};

const sensible: Claim = {
  group: "valid input",
  title: "sensible requests are answered",
  why: "it succeeds",
  check: (it) =>
    holds(it, {
      name: "sensible",
      inputs: sensibleInputs(it.route, it.world.nowMs()),
      runs: runsOf(it),
      request: async (input) => ({ input }),
      judge: (exchange) =>
        meets(it.route, exchange, it.plain) || isInOrder(it.route, exchange)
          ? null
          : { what: `a sensible request was answered ${answered(exchange)}`, says: sensible.why },
    }),
};

const wellFormed: Claim = {
  group: "valid input",
  title: "any request the schema allows is answered as declared",
  why: "a response is the route's success or one of its declared codes",
  check: (it) =>
    holds(it, {
      name: "well-formed",
      inputs: validInputs(it.route),
      runs: runsOf(it),
      request: async (input) => ({ input }),
      judge: (exchange) =>
        isDeclared(it.route, exchange) ? null : { what: `was answered ${answered(exchange)}`, says: wellFormed.why },
    }),
};

export const exampleClaims: Family = () => [examples];

/** Valid requests; those of a DELETE use ids that do not exist. */
export const validClaims: Family = ({ input, method }) => {
  if (Object.keys(input.shape).length === 0) return [];
  return method === "DELETE" ? [wellFormed] : [sensible, wellFormed];
};
