/** Runs the automatic suite on every route of the contract, and on every route outside `/v1`. */
import { contract, pages } from "@assay/contract";
import { PAGE_DOORS } from "@assay/contract-test";
import { routeSuite } from "@assay/testkit/suite";
import { afterAll, beforeAll } from "vitest";
import { type SuiteApp, startSuiteApp } from "./testing/suite-app.ts";

let suite: SuiteApp;
beforeAll(async () => {
  suite = await startSuiteApp();
});
afterAll(() => suite.close());

routeSuite(contract, () => suite.harness);
routeSuite(pages, () => suite.harness, PAGE_DOORS);
