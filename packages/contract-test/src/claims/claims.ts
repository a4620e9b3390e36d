/** Every claim about a route, derived from its declaration: the simplest first. */
import { accessClaims } from "./access.ts";
import type { Family } from "./claim.ts";
import { documentClaims } from "./document.ts";
import { formatClaims } from "./formats.ts";
import { httpClaims } from "./http.ts";
import { invalidClaims } from "./invalid.ts";
import { invariantClaims } from "./invariants.ts";
import { keyClaims } from "./keys.ts";
import { limitClaims } from "./limits.ts";
import { pageClaims } from "./pages.ts";
import { streamClaims } from "./stream.ts";
import { exampleClaims, validClaims } from "./valid.ts";

const all =
  (...families: readonly Family[]): Family =>
  (route, scope) =>
    families.flatMap((family) => family(route, scope));

/**
 * The claims that need a caller the route admits. Those across answers are tried before the long ones, so that a small allowance is
 * enough for them.
 */
export const innerClaims = all(
  exampleClaims,
  pageClaims,
  formatClaims,
  invariantClaims,
  streamClaims,
  validClaims,
  invalidClaims,
);

/** The claims of HTTP and documents, which hold for any caller. */
export const outerClaims = all(httpClaims, documentClaims);

export const claimsOf = all(accessClaims, keyClaims, limitClaims, innerClaims, outerClaims);
