/** The contract test as an import for this repository's suites; the published package has only the command. */
export { keylessClaims } from "./claims/access.ts";
export { settle } from "./claims/claim.ts";
export { claimsOf } from "./claims/claims.ts";
export { documentClaim } from "./claims/document.ts";
export { NOWHERE, serviceClaims } from "./claims/http.ts";
export {
  CALLER_KINDS,
  type CallerKind,
  type Door,
  outcomeAt,
  outcomeAtSocket,
  PAGE_DOORS,
  ROUTE_DOORS,
  STREAM_DOORS,
} from "./claims/outcomes.ts";
export { contractTest } from "./contract-test.ts";
export type { GivenKey } from "./introduce.ts";
export { countOf, type Report, type Result } from "./report/outcome.ts";
export { textOf } from "./report/text.ts";
export { EVERY_ROUTE, namedRoutes, SERVICE } from "./routes.ts";
export { type RunOptions, runContractTest } from "./run.ts";
export { Trial } from "./trial.ts";
export { keyHolder, type Lab, labWorld, type Scope, type World } from "./world.ts";
