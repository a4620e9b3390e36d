/** The contract test as an import for this repository's suites; the published package has only the command. */
export type { GivenKey } from "./introduce.ts";
export { countOf, type Report } from "./report/outcome.ts";
export { textOf } from "./report/text.ts";
export { EVERY_ROUTE, namedRoutes } from "./routes.ts";
export { type RunOptions, runContractTest } from "./run.ts";
