/** The verbs of Assay and the pipeline they run in: logic without a transport. */

export { acceptsEncoding, type ContentEncoding } from "./accepts-encoding.ts";
export * from "./access/api-key.ts";
export * from "./access/as-of.ts";
export { Authenticator } from "./access/authenticate.ts";
export { allowsSymbol, depthFloor, requireMcp, requireSymbol, requireTier } from "./access/gate.ts";
export { type Allowance, Limits, limitHeaders } from "./access/limits.ts";
export { newKey } from "./account/new-key.ts";
export { createKey, listAllKeys, type OperatorKey, revokeAnyKey, TierConflictError } from "./account/operator-keys.ts";
export { settleUsage } from "./account/settle-usage.ts";
export { attempt, type Counted, type FailAny } from "./attempt.ts";
export type { Call, FailInput, Outcome } from "./call.ts";
export type { ArchiveLinks, Caller, CallerKey, ServiceDeps, VerbContext } from "./context.ts";
export { escapeHtml } from "./embed/escape.ts";
export { type AnyVerb, type Invoke, invoker, type PipelineDeps, type TransportGate } from "./invoke.ts";
export { BarArena } from "./market/bar-arena.ts";
export { BarBook } from "./market/bar-book.ts";
export { MarketView } from "./market/market-view.ts";
export { createPageVerbs, type PageParts } from "./page-verbs.ts";
export { DealerBook } from "./physical/dealer-book.ts";
export { receiptSigner, type SigningKeyRing, type SignReceipt } from "./receipts/sign-receipt.ts";
export {
  newSigningKeys,
  readSigningKeys,
  rotatedSigningKeys,
  SigningKeyError,
  type SigningKeys,
} from "./receipts/signing-keys.ts";
export { refusalOutcome } from "./refusal-outcome.ts";
export { SurfaceBook } from "./surface/surface-book.ts";
export type { SurfaceView } from "./surface/surface-view.ts";
export { health } from "./system/health.ts";
export { createVerbs, type VerbParts } from "./verbs.ts";
