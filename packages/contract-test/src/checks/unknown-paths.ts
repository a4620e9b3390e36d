/** Paths that match no route, and malformed request ids. */
import { contract, type Route } from "@assay/contract";
import { expectAnswer } from "../expectation.ts";
import { RouteTrial } from "../route-trial.ts";
import { SERVICE } from "../routes.ts";
import type { RunContext } from "../run-context.ts";
import { KEYLESS } from "../wire/caller.ts";

/** The rules for unknown paths: those of a route that finds nothing. */
const NOWHERE: Route = { ...contract.system.health, path: "/v1/no-such-path", errors: ["not_found"] };

const PATHS = ["/v1/no-such-path", "/v1", "/v1/", "/v2/prices", "/v1/prices/", "/v1//prices", "/%", "/v1/spot/%zz/x"];

/** Longer than any valid id, or with other characters. */
const NO_IDS = ["x".repeat(65), "two words", "<script>"];
const MADE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Checks paths that match no route; uses no allowance. */
export const checkUnknownPaths = async (run: RunContext): Promise<void> => {
  const trial = new RouteTrial(SERVICE, NOWHERE, run);
  await trial.check("HTTP", "unknown paths", async (tell) => {
    for (const path of PATHS) {
      const exchange = await trial.askPath(path, { caller: KEYLESS });
      expectAnswer(tell, NOWHERE, exchange, { code: "not_found" }, "no route has this path");
    }
    const posted = await run.service.path("/v1/no-such-path", { caller: KEYLESS, method: "POST", rawBody: "{}" });
    expectAnswer(tell, NOWHERE, posted, { code: "not_found" }, "no route has this path");
  });
  await trial.check("HTTP", "malformed request ids", async (tell) => {
    for (const id of NO_IDS) {
      const exchange = await run.service.path("/v1/health", { caller: KEYLESS, headers: { "x-request-id": id } });
      const made = exchange.headers.get("x-request-id") ?? "";
      if (made === id || !MADE_ID.test(made))
        tell(`X-Request-Id is ${made || "missing"}`, "a malformed id is replaced by a new one", exchange);
    }
  });
  trial.finish();
};
