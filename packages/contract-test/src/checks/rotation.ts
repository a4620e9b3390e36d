/** Rotates a key, once and only when allowed: a retry under the same Idempotency-Key gets an identical answer. */
import { contract } from "@assay/contract";
import { expectAnswer } from "../expectation.ts";
import type { RouteTrial } from "../route-trial.ts";

/** Checks the rotation; the calling key stops authenticating a day later. */
export const checkRotation = (trial: RouteTrial): Promise<void> => {
  if (trial.route.path !== contract.account.mintKey.path || trial.route.method !== "POST") return Promise.resolve();
  return trial.check("invariants", "a retry rotates once", async (tell) => {
    const headers = { "idempotency-key": `contract-test-${trial.run.seed}-${Date.now()}` };
    const first = await trial.ask({ input: { name: "contract-test" }, headers });
    if (!expectAnswer(tell, trial.route, first, "success", "a key rotates itself")) return;
    const again = await trial.ask({ input: { name: "contract-test" }, headers });
    const says = "the same Idempotency-Key and body get the same response for 24 hours";
    if (again.text !== first.text) tell("the retry got a different response", says, again);
    const other = await trial.ask({ input: { name: "another" }, headers });
    expectAnswer(tell, trial.route, other, { code: "validation_error" }, "the same Idempotency-Key with another body is refused");
  });
};
