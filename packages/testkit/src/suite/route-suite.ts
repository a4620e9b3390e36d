/** The automatic suite: the guarantees of every route, derived from its declaration. */
import type { Contract } from "@assay/contract";
import { describe } from "vitest";
import { Ledger, registerMatrixCount, registerMatrixTests } from "./access-matrix.ts";
import { registerAccessTests } from "./access-tests.ts";
import type { SuiteHarness } from "./harness.ts";
import { registerInputTests } from "./input-tests.ts";
import { registerLimitTests } from "./limit-tests.ts";
import { registerMeteringTests } from "./metering-tests.ts";
import { registerProtocolTests, registerUnknownPathTests } from "./protocol-tests.ts";
import { RouteCase } from "./route-case.ts";

/**
 * Registers the suite for every route of a contract. A route's own test file adds only its own cases.
 * @param contract the routes
 * @param harness returns the service under test; called when a test runs
 */
export const routeSuite = (contract: Contract, harness: () => SuiteHarness): void => {
  const cases = Object.entries(contract).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([action, route]) => new RouteCase(`${resource}.${action}`, route, harness)),
  );
  const ledger = new Ledger();
  describe.each(cases.map((it) => [`${it.route.method} ${it.route.path}`, it] as const))("%s", (_, it) => {
    registerAccessTests(it);
    registerMatrixTests(it, contract, ledger);
    registerInputTests(it);
    registerProtocolTests(it, contract);
    registerLimitTests(it);
    registerMeteringTests(it);
  });
  registerMatrixCount(cases, ledger);
  const [first] = cases;
  if (first) registerUnknownPathTests(first);
};
