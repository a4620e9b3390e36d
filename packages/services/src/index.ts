/** The verbs of Assay and the pipeline they run in: logic without a transport. */

export { type Allowance, limitHeaders } from "./access/allowance.ts";
export * from "./access/api-key.ts";
export { Authenticator } from "./access/authenticate.ts";
export { allowsSymbol, asOf, depthFloor, requireMcp, requireSymbol, requireTier } from "./access/gate.ts";
export { keyEnd } from "./access/key-lifecycle.ts";
export { Limits } from "./access/limits.ts";
export { noteEnds } from "./account/end-keys.ts";
export { newKey } from "./account/keys.ts";
export * from "./account/operator-alerts.ts";
export * from "./account/operator-keys.ts";
export { settleUsage } from "./account/settle-usage.ts";
export { faultOutcome, NOSNIFF, refusalOutcome, unstoredHeaders } from "./answer-outcome.ts";
export type { Call, FailInput, Outcome } from "./call.ts";
export { after, attempt, type Counted, type FailAny } from "./call.ts";
export type { ArchiveLinks, Caller, CallerKey, ServiceDeps, VerbContext } from "./context.ts";
export { escapeHtml } from "./embed/shown-price.ts";
export { readInstant } from "./input.ts";
export { type AnyVerb, type Invoke, invoker, KEY_FAULTS, type PipelineDeps, type TransportGate } from "./invoke.ts";
export { BarArena } from "./market/bar-arena.ts";
export { BarBook } from "./market/bar-book.ts";
export { DealerBook } from "./market/dealer-book.ts";
export { type LiveMarket, openMarket } from "./market/live-market.ts";
export { MarketView } from "./market/market-view.ts";
export { Reloads } from "./market/reloads.ts";
export { SurfaceBook, type SurfaceView } from "./market/surface-book.ts";
export { marketMode } from "./market/writer-report.ts";
export {
  newSigningKeys,
  readSigningKeys,
  receiptSigner,
  rotatedSigningKeys,
  SigningKeyError,
  type SigningKeyRing,
  type SigningKeys,
  type SignReceipt,
} from "./receipts.ts";
export { type ContentEncoding, type DocumentCall, EncodedDocument, matchesEtag } from "./representations.ts";
export { HEALTH, health } from "./routes/system.ts";
export { createPageVerbs, createVerbs, type PageParts, type VerbParts } from "./verbs.ts";
