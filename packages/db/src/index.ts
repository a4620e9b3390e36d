/** Schema, migrations, reads and writes, on the embedded database and on PostgreSQL. */
export {
  findAnswer,
  IDEMPOTENCY_TTL_MS,
  type IdempotencyScope,
  type KeptAnswer,
  type NewAnswer,
} from "./accounts/idempotency.ts";
export * from "./accounts/keys.ts";
export * from "./accounts/new-keys.ts";
export {
  createOrganisation,
  findOrganisation,
  type NewOrganisation,
  setTier,
  suspendAlerts,
  suspendOrganisation,
} from "./accounts/organisations.ts";
export * from "./accounts/usage.ts";
export * from "./alerts/alerts.ts";
export * from "./alerts/deliveries.ts";
export * from "./alerts/endpoints.ts";
export * from "./alerts/judgement.ts";
export * from "./bars/archive.ts";
export type { BarLines } from "./bars/bar-lines.ts";
export * from "./bars/closes.ts";
export { type BarCopy, openBarCopy } from "./bars/copy.ts";
export {
  type EncodedBars,
  encodeBar,
  readEncodedBars,
  readSourceChanges,
  readStandingPage,
  type SourceChange,
  type StandingPage,
  type StandingWindow,
} from "./bars/encoded.ts";
export * from "./bars/read.ts";
export * from "./bars/series.ts";
export { type BarKey, type BarWriting, closeOldBars, replaceBars, upsertBars, writeBarLines } from "./bars/write.ts";
export {
  BarsRevisedError,
  StaleTokenError,
  StoreFolderError,
  StoreHeldError,
  StoreMissingError,
  StoreQueryError,
  StoreTooNewError,
  StoreUnavailableError,
} from "./errors.ts";
export { readDayPairs } from "./market/day-pairs.ts";
export * from "./market/dealer-quotes.ts";
export {
  type ReferenceDays,
  type ReferenceSpan,
  readFxTables,
  readReferenceDays,
  readReferenceSpan,
  readReferences,
  readStandingReferenceDays,
} from "./market/fx-tables.ts";
export { type Moment, type WithdrawnBars, writeMoment } from "./market/moment.ts";
export { readRateSets, readRateSetsSince } from "./market/rate-sets.ts";
export {
  dropSettlements,
  readLastSettledDay,
  readNewestSettlements,
  readSettledDays,
  readSettlementDays,
  readSettlements,
  readSettlementsKnownAt,
  type SettledDay,
  type SettlementPick,
  type SettlementWindow,
  type SettlementWithPrior,
} from "./market/settlements.ts";
export * from "./market/surfaces.ts";
export { readBeliefs, readLastSeqs, readNewestTicks, readTickAt, readTickExtremes, readTicksSince } from "./market/ticks.ts";
export { newId } from "./new-id.ts";
export { hasDatabase } from "./open/folder.ts";
export { POOL_SIZE } from "./open/postgres.ts";
export { openStore } from "./open.ts";
export * from "./records/archives.ts";
export * from "./records/corrections.ts";
export * from "./records/history-gaps.ts";
export * from "./records/imports.ts";
export { analyze, DELIVERIES_RETAINED_MS, LIVE_RETENTION_MS, prune, readDatabaseBytes } from "./records/maintenance.ts";
export { renumber } from "./records/renumber.ts";
export * from "./records/secrets.ts";
export { type RecordsWindow, readOriginsByDay, readSourceRecords } from "./records/source-records.ts";
export * as schema from "./schema/index.ts";
export type { RevisionReason } from "./schema/records.ts";
export { claimFence, readBarsRevision, readFenceToken, type WriterToken } from "./statements/fence.ts";
export * from "./statements/ledger.ts";
export type { Database, ImportOrigin, Store, StoreOptions, StoreSource } from "./store.ts";
