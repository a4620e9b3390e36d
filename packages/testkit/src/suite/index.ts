/** The automatic route suite, for vitest. */

export { type ToldWindow, windowsOf } from "../wire/told-windows.ts";
export type { SuiteCaller, SuiteHarness } from "./harness.ts";
export { expectLimitHeaders } from "./limit-headers.ts";
export { routeSuite } from "./route-suite.ts";
