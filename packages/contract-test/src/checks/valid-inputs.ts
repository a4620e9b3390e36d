/** Valid requests generated from the schemas: sensible ones succeed, all others succeed or get a declared code. */
import { answered, isDeclared, meets, plainExpectation } from "../expectation.ts";
import { sensibleInputs } from "../inputs/sensible.ts";
import { validInputs } from "../inputs/valid.ts";
import type { RouteTrial } from "../route-trial.ts";
import { seesEverything, serviceNowMs } from "../run-context.ts";
import { codeOf, type Exchange } from "../wire/exchange.ts";
import { GATES, mayBeMissing } from "./examples.ts";
import { examine, holds, runsOf } from "./property.ts";

/** Whether refusing a sensible request is acceptable: by the caller's tier, or where a client cannot know what exists. */
const isInOrder = (trial: RouteTrial, exchange: Exchange): boolean => {
  const code = codeOf(exchange);
  if (GATES.has(code) && !seesEverything(exchange.sent.caller)) return true;
  return mayBeMissing(trial.route, code);
};

const checkSensible = (trial: RouteTrial): Promise<void> =>
  trial.check("valid input", "sensible requests are answered", (tell) =>
    holds(tell, trial, {
      name: "sensible",
      inputs: sensibleInputs(trial.route, serviceNowMs(trial.run)),
      runs: runsOf(trial),
      examine: (input) =>
        examine(trial, input, (exchange) =>
          meets(trial.route, exchange, plainExpectation(trial.route)) || isInOrder(trial, exchange)
            ? null
            : { what: `a sensible request was answered ${answered(exchange)}`, says: "it succeeds" },
        ),
    }),
  );

const checkWellFormed = (trial: RouteTrial): Promise<void> =>
  trial.check("valid input", "any request the schema allows is answered as declared", (tell) =>
    holds(tell, trial, {
      name: "well-formed",
      inputs: validInputs(trial.route),
      runs: runsOf(trial),
      examine: (input) =>
        examine(trial, input, (exchange) =>
          isDeclared(trial.route, exchange)
            ? null
            : {
                what: `was answered ${answered(exchange)}`,
                says: "a response is the route's success or one of its declared codes",
              },
        ),
    }),
  );

/** Checks valid requests; those of a DELETE use ids that do not exist. */
export const checkValidInputs = async (trial: RouteTrial): Promise<void> => {
  if (Object.keys(trial.route.input.shape).length === 0) return;
  if (trial.route.method !== "DELETE") await checkSensible(trial);
  await checkWellFormed(trial);
};
