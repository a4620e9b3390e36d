/** The automatic suite: the guarantees of every route, derived from its declaration. */
import type { Contract } from "@assay/contract";
import { describe } from "vitest";
import { type Door, ROUTE_DOORS } from "../wire/access.ts";
import { Ledger, registerMatrixCount, registerMatrixTests } from "./access-matrix.ts";
import { registerAccessTests } from "./access-tests.ts";
import { registerFormatTests } from "./format-tests.ts";
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
 * @param doors the transports its routes are reached through
 */
export const routeSuite = (contract: Contract, harness: () => SuiteHarness, doors: readonly Door[] = ROUTE_DOORS): void => {
  const cases = Object.entries(contract).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([action, route]) => new RouteCase(`${resource}.${action}`, route, harness)),
  );
  const ledger = new Ledger();
  describe.each(cases.map((it) => [`${it.route.method} ${it.route.path}`, it] as const))("%s", (_, it) => {
    registerAccessTests(it);
    registerMatrixTests(it, contract, doors, ledger);
    registerInputTests(it);
    registerProtocolTests(it, contract);
    registerLimitTests(it);
    registerMeteringTests(it);
    registerFormatTests(it, contract);
  });
  registerMatrixCount(cases, doors, ledger);
  const [first] = cases;
  if (first) registerUnknownPathTests(first);
};
