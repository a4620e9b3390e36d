/** What was counted of the sources' readings. */
import type { Instrument, RecordSpan, SourceRecord } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { instantWithin } from "../statements/ledger.ts";
import { unnest, unnestJson } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

export interface RecordsWindow {
  readonly span: RecordSpan;
  /** Those that start at or after it. */
  readonly fromMs: number;
  /** And before it; all by default. */
  readonly toMs?: number;
}

/** Reads records in the order of time, then of source and instrument. */
export const readSourceRecords = async (store: Store, { span, fromMs, toMs }: RecordsWindow): Promise<SourceRecord[]> => {
  const before = toMs === undefined ? sql`` : sql`and starts_at < ${formatInstant(toMs)}::timestamptz`;
  const rows = await store.run((db) =>
    rowsOf<Omit<SourceRecord, "document"> & { document: string }>(
      db,
      sql`
        select span, (extract(epoch from starts_at) * 1000)::float8 as "startsAtMs", source, instrument, document::text
        from source_records where span = ${span} and starts_at >= ${formatInstant(fromMs)}::timestamptz ${before}
        order by starts_at, source, instrument`,
    ),
  );
  // Our own writer wrote it in this shape.
  return rows.map((row) => ({ ...row, document: JSON.parse(row.document) }));
};

/** How many origins had accepted readings of an instrument on each day of a window; days without a record are omitted. */
export const readOriginsByDay = async (
  store: Store,
  { instrument, fromMs, toMs }: { readonly instrument: Instrument; readonly fromMs: number; readonly toMs: number },
): Promise<Map<number, number>> => {
  const rows = await store.run((db) =>
    rowsOf<{ dayMs: number; origins: number }>(
      db,
      sql`
        select (extract(epoch from starts_at) * 1000)::float8 as "dayMs",
          (count(distinct document -> 'info' ->> 'origin')
            filter (where (document -> 'counts' ->> 'accepted')::numeric > 0))::float8 as origins
        from source_records
        where span = 'day' and starts_at between ${instantWithin(fromMs)} and ${instantWithin(toMs)}
          and instrument = ${instrument}
        group by starts_at`,
    ),
  );
  return new Map(rows.map(({ dayMs, origins }) => [dayMs, origins]));
};

/** The upsert of records of sources, to run behind the fence; empty for no records. A later one of the same span replaces it. */
export const upsertOfRecords = (records: readonly SourceRecord[]): SQL[] =>
  records.length === 0
    ? []
    : [
        sql`
          insert into source_records (span, starts_at, source, instrument, document)
          select
            ${unnest(records, ({ span }) => span, "text")},
            ${unnest(records, ({ startsAtMs }) => formatInstant(startsAtMs), "timestamptz")},
            ${unnest(records, ({ source }) => source, "text")},
            ${unnest(records, ({ instrument }) => instrument, "text")},
            ${unnestJson(records.map(({ document }) => document))}
          from fence
          on conflict (span, starts_at, source, instrument) do update set document = excluded.document`,
      ];
