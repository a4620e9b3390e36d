/** Schema, migrations, reads and writes, on the embedded database and on PostgreSQL. */
export { encodeBar } from "./encode-bar.ts";
export {
  BarsRevisedError,
  StaleTokenError,
  StoreFolderError,
  StoreHeldError,
  StoreQueryError,
  StoreUnavailableError,
} from "./errors.ts";
export type { StoreOptions, StoreSource } from "./open/options.ts";
export { openStore } from "./open.ts";
export * from "./read/archive-bars.ts";
export * from "./read/archives.ts";
export * from "./read/bars.ts";
export * from "./read/beliefs.ts";
export * from "./read/closes.ts";
export * from "./read/dealer-quotes.ts";
export * from "./read/encoded-bars.ts";
export * from "./read/feed-runs.ts";
export * from "./read/fence.ts";
export * from "./read/fx-tables.ts";
export * from "./read/history-gaps.ts";
export * from "./read/imports.ts";
export * from "./read/keys.ts";
export * from "./read/organisations.ts";
export * from "./read/running-bars.ts";
export * from "./read/series.ts";
export * from "./read/settlements.ts";
export * from "./read/surfaces.ts";
export * from "./read/ticks.ts";
export * from "./read/usage.ts";
export * as schema from "./schema/index.ts";
export type { Database, Store } from "./store.ts";
export * from "./write/archives.ts";
export type { BarLines } from "./write/bar-lines.ts";
export { upsertBars, writeBarLines } from "./write/bars.ts";
export { type BarCopy, openBarCopy } from "./write/copy-bars.ts";
export * from "./write/dealer-quotes.ts";
export * from "./write/feed-runs.ts";
export { claimFence, type WriterToken } from "./write/fence.ts";
export { writeHistoryGaps } from "./write/history-gaps.ts";
export { findAnswer, IDEMPOTENCY_TTL_MS, type IdempotencyScope, type KeptAnswer } from "./write/idempotency.ts";
export * from "./write/imports.ts";
export * from "./write/keys.ts";
export { analyze, LIVE_RETENTION_MS, prune } from "./write/maintenance.ts";
export { type Moment, type TakenBack, writeMoment } from "./write/moment.ts";
export { renumber } from "./write/renumber.ts";
export { type BarKey, replaceBars } from "./write/replace-bars.ts";
export * from "./write/rotate-key.ts";
export * from "./write/secrets.ts";
export { dropSettlements } from "./write/settlements.ts";
export { writeSurfaces } from "./write/surfaces.ts";
export * from "./write/usage.ts";
