/** The automatic route suite, for vitest. */

export type { SuiteCaller, SuiteHarness } from "./harness.ts";
export { expectLimitHeaders, type ToldWindow, windowsOf } from "./limit-headers.ts";
export { routeSuite } from "./route-suite.ts";
