/** Tables of the service's own records: the fence, feeds, sources, missing history, archives, imports and secrets. */
import type { Interval } from "@assay/contract";
import type { HistoryGap, Instrument, RecordSpan, SourceRecord } from "@assay/pricing";
import { integer, json, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** Why stored rows became what they are: what `reason` of a correction says. */
export type RevisionReason = "import" | "withdrawn" | "late_source" | "publisher" | "operator";

/** What writes are checked against: the highest writer token seen. Exactly one row, created by the first migration. */
export const writerFence = pgTable("writer_fence", {
  id: smallint().primaryKey(),
  token: count().notNull(),
  holder: text().notNull(),
  since: instant().notNull(),
  /** Number of writes of moments and imports, whose bars depend on bars stored before. */
  barsRevision: count("bars_revision").notNull(),
  /** The newest revision of the ledger: when and why it was made, in which epoch, and by which transaction. */
  ledgerRevision: count("ledger_revision").notNull(),
  ledgerAtMs: instant("ledger_at").notNull(),
  ledgerReason: text("ledger_reason").$type<RevisionReason>().notNull(),
  ledgerEpoch: count("ledger_epoch").notNull(),
  /** Corrections are numbered from here on. */
  ledgerBase: count("ledger_base").notNull(),
  ledgerXact: count("ledger_xact").notNull(),
  /** What an import said of itself, and the revision that it was said of. */
  ledgerSource: text("ledger_source"),
  ledgerNote: text("ledger_note"),
  ledgerNoted: count("ledger_noted").notNull(),
});

/** Every statement that wrote closed bars, settlements or reference rates, in the order of commits; a trigger of the fence writes it. */
export const revisions = pgTable("revisions", {
  revision: count().primaryKey(),
  recordedAtMs: instant("recorded_at").notNull(),
  reason: text().$type<RevisionReason>().notNull(),
  epoch: count().notNull(),
  copy: count().unique("revisions_copy_unique"),
});

/** Nothing writes it: the health of feeds is in the writer's report. */
export const feedRuns = pgTable("feed_runs", {
  feed: text().primaryKey(),
  lastAttemptAtMs: instant("last_attempt_at").notNull(),
  lastSuccessAtMs: instant("last_success_at"),
  consecutiveFailures: count("consecutive_failures").notNull(),
  rejectedObservations: count("rejected_observations").notNull(),
  lastError: text("last_error"),
});

/** What was counted of each source's readings of an instrument, by quarter of an hour and by day. */
export const sourceRecords = pgTable(
  "source_records",
  {
    span: text().$type<RecordSpan>().notNull(),
    startsAtMs: instant("starts_at").notNull(),
    source: text().notNull(),
    instrument: text().$type<Instrument>().notNull(),
    document: json().$type<SourceRecord["document"]>().notNull(),
  },
  (table) => [primaryKey({ name: "source_records_pk", columns: [table.span, table.startsAtMs, table.source, table.instrument] })],
);

/**
 * What is missing of each series' past, so that an interrupted fill continues and pages can say that they are not whole. The document
 * is an empty list once there is no gap.
 */
export const historyGaps = pgTable(
  "history_gaps",
  {
    symbol: text().notNull(),
    document: json().$type<readonly HistoryGap[]>().notNull(),
  },
  (table) => [primaryKey({ name: "history_gaps_pk", columns: [table.symbol] })],
);

/** The years of each series that are archived, or have changed since. */
export const archives = pgTable(
  "archives",
  {
    symbol: text().notNull(),
    interval: text().$type<Interval>().notNull(),
    year: integer().notNull(),
    /** Number of bulk replacements of its bars. */
    changes: count().notNull(),
    /** The value of `changes` when the build began; less than `changes` means that the archive must be rebuilt. */
    builtChanges: count("built_changes"),
    builtAtMs: instant("built_at"),
    /** Bars in it; a year without bars has no archive. */
    rows: count(),
  },
  (table) => [primaryKey({ name: "archives_pk", columns: [table.symbol, table.interval, table.year] })],
);

/** Files that are completely imported into a series, so that an interrupted import resumes where it stopped. */
export const imports = pgTable(
  "imports",
  {
    fileDigest: text("file_digest").notNull(),
    symbol: text().notNull(),
    interval: text().$type<Interval>().notNull(),
    rows: count().notNull(),
    finishedAtMs: instant("finished_at").notNull(),
    firstStartMs: instant("first_start"),
    lastStartMs: instant("last_start"),
  },
  (table) => [primaryKey({ name: "imports_pk", columns: [table.fileDigest, table.symbol, table.interval] })],
);

/** What callers may have seen and is no longer so, chained by digests; triggers write it. */
export const corrections = pgTable("corrections", {
  number: count().primaryKey(),
  symbol: text().notNull(),
  interval: text().$type<Interval>(),
  startsAtMs: instant("starts_at").notNull(),
  recordedAtMs: instant("recorded_at").notNull(),
  /** Canonical JSON. */
  entry: text().notNull(),
  digest: text().notNull(),
});

/** Secrets shared by all processes of a service, such as the cursor's signing key. */
export const serviceSecrets = pgTable("service_secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAtMs: instant("created_at").notNull(),
});
