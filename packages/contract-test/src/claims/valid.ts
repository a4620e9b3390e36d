/**
 * Generated requests: the contract's examples and every value of its enumerations succeed, as do sensible ones generated from the
 * schemas; all others succeed or get a declared code.
 */
import { ERRORS, errorCodesOf, type Route } from "@assay/contract";
import fc from "fast-check";
import { anyRequests } from "../inputs/anything.ts";
import { exampleInputs } from "../inputs/sample.ts";
import { isWellKnown, sensibleInputs, validInputs } from "../inputs/valid.ts";
import { codeOf, type Exchange } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import { seesEverything } from "../world.ts";
import type { Claim, Family } from "./claim.ts";
import { callOverTrpc, doorsOf } from "./doors.ts";
import { answered, isDeclared, meets } from "./expectation.ts";
import { examine, holds, runsOf } from "./property.ts";

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
      examine: (input) =>
        examine(it, { input }, (exchange) =>
          meets(it.route, exchange, it.plain) || isInOrder(it.route, exchange)
            ? null
            : { what: `a sensible request was answered ${answered(exchange)}`, says: sensible.why },
        ),
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
      examine: (input) =>
        examine(it, { input }, (exchange) =>
          isDeclared(it.route, exchange) ? null : { what: `was answered ${answered(exchange)}`, says: wellFormed.why },
        ),
    }),
};

/** One request in this many goes over tRPC, where there is one. */
const TRPC_EVERY = 5;

const anything: Claim = {
  group: "invalid input",
  title: "any request at all is answered as declared",
  why: "whatever is asked, by whomever, over REST and tRPC: a declared code and its body, and never a 500",
  check: (it) => {
    const { contract, kinds, nowMs } = it.world;
    const hasTrpc = doorsOf(it.route, it.world).includes("tRPC");
    const door = fc.nat({ max: TRPC_EVERY - 1 }).map((turn) => (turn === 0 && hasTrpc ? "tRPC" : "REST"));
    return holds(it, {
      name: "anything",
      inputs: fc.tuple(anyRequests(contract, it.route, nowMs()), fc.constantFrom(...kinds), door),
      runs: runsOf(it),
      examine: async ([request, kind, by]) => {
        const caller = await it.trial.callerOf(kind);
        if (by === "REST") return examine(it, { ...request, caller });
        const { exchange, faults } = await callOverTrpc(it, false, caller, [request.input]);
        return { exchange, finding: faults[0] === undefined ? null : { what: faults[0], says: anything.why } };
      },
    });
  },
};

export const exampleClaims: Family = () => [examples];

/** Valid requests, and where nothing can be broken by them any others; the right ones of a DELETE use ids that do not exist. */
export const validClaims: Family = ({ input, method }, scope) => {
  const any = scope.isDisposable ? [anything] : [];
  if (Object.keys(input.shape).length === 0) return any;
  return method === "DELETE" ? [wellFormed, ...any] : [sensible, wellFormed, ...any];
};
