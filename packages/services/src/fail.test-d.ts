/** An undeclared code does not compile: neither in a verb nor in its helpers. Checked by `tsc -p tsconfig.tests.json`. */
import type { AssayContract, Fail, FailWith } from "@assay/contract";
import * as contract from "@assay/contract";
import { requireTier } from "./access/gate.ts";
import * as attempting from "./call.ts";
import type { Caller } from "./context.ts";
import * as services from "./index.ts";

declare const caller: Caller;
declare const failConvert: Fail<AssayContract["convert"]["get"]>;
declare const failSpot: Fail<AssayContract["spot"]["get"]>;
declare const failMint: Fail<AssayContract["account"]["mintKey"]>;
declare const failHealth: Fail<AssayContract["system"]["health"]>;

export const checked = [
  // A route that takes keys may refuse one, and a check accepts a wider `fail` than it needs.
  () => failMint("invalid_api_key"),
  // A route that changes something may refuse a key in grace.
  () => failMint("key_in_grace"),
  // @ts-expect-error a route that reads cannot
  () => failSpot("key_in_grace"),
  () => requireTier(caller, "pro", failSpot),
  // @ts-expect-error this route does not declare plan_gated, so no gating check accepts its `fail`
  () => requireTier(caller, "pro", failConvert),
  // @ts-expect-error a route without keys cannot refuse one
  () => failHealth("invalid_api_key"),
  // @ts-expect-error a `fail` cannot be widened
  (): FailWith<"not_found" | "unknown_pair"> => failSpot,
  // @ts-expect-error the class behind `fail` is private to the pipeline
  () => contract.Refusal,
  // @ts-expect-error the class behind `fail` is private to the pipeline
  () => services.Refusal,
  // @ts-expect-error the class behind `fail` is private to the pipeline
  () => attempting.Refusal,
];
