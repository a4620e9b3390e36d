/** Every route without a key, with each tier that an operator may give to callers without one. */
import { contract, overlayCatalog, pages, TIER_NAMES } from "@assay/contract";
import { PAGE_DOORS } from "@assay/contract-test";
import { keylessSuite } from "@assay/testkit/suite";
import { afterAll, beforeAll, describe } from "vitest";
import { type SuiteApp, startSuiteApp } from "./testing/suite-app.ts";

/** One that some routes are open to and some are not; the others when there is time. Free is what the route suite runs with. */
const TIERS = process.env.TEST_DEPTH === "deep" ? TIER_NAMES.slice(1) : (["physical"] as const);

describe.each(TIERS)("where callers without a key have the tier %s", (tier) => {
  let suite: SuiteApp;
  beforeAll(async () => {
    suite = await startSuiteApp(overlayCatalog({}, tier));
  });
  afterAll(() => suite.close());

  keylessSuite(contract, () => suite.harness);
  keylessSuite(pages, () => suite.harness, PAGE_DOORS);
});
