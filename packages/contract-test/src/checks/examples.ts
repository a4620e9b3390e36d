/** The contract's own examples, and every value of its enumerations: a service answers them. */
import { ERRORS, errorCodesOf, type Route } from "@assay/contract";
import { expectAnswer, plainExpectation } from "../expectation.ts";
import { exampleInputs } from "../inputs/sample.ts";
import { isWellKnown } from "../inputs/sensible.ts";
import type { RouteTrial } from "../route-trial.ts";
import { seesEverything, serviceNowMs } from "../run-context.ts";
import { codeOf } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";

/** Refusals a caller of a low tier may get for any example. */
export const GATES: ReadonlySet<string | undefined> = new Set(["plan_gated", "range_too_deep"]);

/**
 * Whether a 404 is acceptable: where a client cannot know what exists, and where a redirect would lead to a file not yet
 * created.
 */
export const mayBeMissing = (route: Route, code: string | undefined): boolean => {
  if (isWellKnown(route) && route.success.status !== 307) return false;
  return errorCodesOf(route).some((each) => each === code && each !== "disabled" && ERRORS[each].status === 404);
};

/** Checks that the examples are answered. */
export const checkExamples = (trial: RouteTrial): Promise<void> =>
  trial.check("examples", "the contract's examples are answered", async (tell) => {
    const { route, run } = trial;
    const caller = trial.main();
    for (const input of exampleInputs(route, serviceNowMs(run))) {
      const exchange = await trial.ask({ input, priority: PRIORITY.invariant });
      if (GATES.has(codeOf(exchange)) && !seesEverything(caller)) continue;
      if (route.success.status === 307 && mayBeMissing(route, codeOf(exchange))) continue;
      expectAnswer(tell, route, exchange, plainExpectation(route), "it is an example of the contract");
    }
  });
