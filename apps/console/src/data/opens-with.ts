/** The lowest tier that opens what a page is made of; a test compares it with the contract. */
import type { TierName } from "@assay/sdk";

/** By resource and action. */
export const OPENS_WITH = {
  "physical.get": "physical",
  "surface.get": "pro",
  "settlements.list": "pro",
  "account.usage": "free",
  "stream.sse": "pro",
} as const satisfies Record<string, TierName>;
