/** Stored currency rates. */
import { type FxObservation, REFERENCE_SERVES_MS, type ReferenceDay } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { instantWithin, type StandingDays, standingRows } from "../statements/ledger.ts";
import { unnest, unnestJson } from "../statements/values.ts";
import { linesOf, rowsOf, type Store, textOf } from "../store.ts";

/**
 * Reads the tables that rates at or after an instant depend on: tables observed from it on, references of the seven days before
 * it (a currency may be missing from one and present in another), and the newest live table of each source and base in those
 * days.
 * @returns oldest first
 */
export const readFxTables = (store: Store, sinceMs: number): Promise<FxObservation[]> =>
  store.run((db) => {
    const [since, earliest] = [formatInstant(sinceMs), formatInstant(sinceMs - REFERENCE_SERVES_MS)];
    return rowsOf<FxObservation>(
      db,
      sql`
        select 'fx' as kind, source, role, base, rates,
          (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs", fresh_for_ms::float8 as "freshForMs"
        from (
          select * from fx_tables where observed_at >= ${since}::timestamptz
          union all
          select * from fx_tables where role = 'reference'
            and observed_at >= ${earliest}::timestamptz and observed_at < ${since}::timestamptz
          union all
          (select distinct on (source, base) * from fx_tables where role = 'live'
            and observed_at >= ${earliest}::timestamptz and observed_at < ${since}::timestamptz
            order by source, base, observed_at desc)
        ) as wanted
        order by observed_at, source, base`,
    );
  });

/** Reads the daily references observed from an instant on and before another, oldest first. */
export const readReferences = (store: Store, fromMs: number, beforeMs: number): Promise<FxObservation[]> =>
  store.run((db) =>
    rowsOf<FxObservation>(
      db,
      sql`
        select 'fx' as kind, source, role, base, rates,
          (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs", fresh_for_ms::float8 as "freshForMs"
        from fx_tables where role = 'reference'
          and observed_at >= ${instantWithin(fromMs)} and observed_at < ${instantWithin(beforeMs)}
        order by observed_at, source, base`,
    ),
  );

/** A figure of a table as text; empty when the table lacks it. Cut out, because `->>` parses the whole table each time. */
const figureOf = (currency: string) =>
  sql`split_part(split_part(replace(rates::text, ' ', ''), ${`"${currency}":"`}::text, 2), '"', 1)`;

/** A currency's days, and the newest revision of the ledger when they were read. */
export interface ReferenceDays {
  readonly days: ReferenceDay[];
  readonly revision: number;
}

const readDays = async (store: Store, currency: string, base: string, tables: SQL): Promise<ReferenceDays> => {
  const units = currency === base ? sql`'1'` : figureOf(currency);
  const [lines, revision] = await store.readRow(sql`
    select string_agg(
      to_char(observed_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || ${figureOf("USD")} || ' ' || ${units},
      E'\n' order by observed_at, source), (select ledger_revision from writer_fence)
    from ${tables}`);
  const days = linesOf(lines).flatMap((line) => {
    const [day = "", usd = "", own = ""] = line.split(" ");
    return usd === "" || own === "" ? [] : [{ day, rates: { USD: usd, [currency]: own } }];
  });
  return { days, revision: Number(textOf(revision)) };
};

/**
 * Reads the whole reference history of a currency, with the dollar it is crossed through: days that have both. One text for all
 * days, as for bars: a currency has thousands.
 * @param base the currency the tables are per unit of
 * @param currency ISO 4217, upper case
 * @returns oldest first; of two tables of one day, the one observed later is last
 */
export const readReferenceDays = (store: Store, base: string, currency: string): Promise<ReferenceDays> =>
  readDays(store, currency, base, sql`fx_tables where role = 'reference' and base = ${base}`);

/** The same within days, as they stood at a revision. */
export const readStandingReferenceDays = async (
  store: Store,
  base: string,
  currency: string,
  { revision, fromMs, toMs }: StandingDays,
): Promise<ReferenceDay[]> => {
  const within = sql`role = 'reference' and base = ${base}
    and observed_at between ${instantWithin(fromMs)} and ${instantWithin(toMs)}`;
  return (await readDays(store, currency, base, sql`${standingRows("fx_tables", revision, within)} as stood`)).days;
};

/** Daily tables are never this many days apart, holidays included. */
const GAP_DAYS = 10;

/** Stored reference rates of a source: how many tables, and until when the series is complete. */
export interface ReferenceSpan {
  readonly tables: number;
  readonly unbrokenUntilMs: number;
}

/** Reads the extent of a source's reference rates; null when there are none. */
export const readReferenceSpan = async (store: Store, source: string): Promise<ReferenceSpan | null> => {
  const [row] = await store.run((db) =>
    rowsOf<{ tables: number; unbrokenUntilMs: number | null }>(
      db,
      sql`
        select count(*)::float8 as tables,
          (extract(epoch from min(observed_at) filter (where next is null or next - observed_at > make_interval(days => ${GAP_DAYS}::int))) * 1000)::float8
            as "unbrokenUntilMs"
        from (
          select observed_at, lead(observed_at) over (order by observed_at) as next
          from fx_tables where source = ${source} and role = 'reference') as tables_in_order`,
    ),
  );
  return row && row.unbrokenUntilMs !== null ? { tables: row.tables, unbrokenUntilMs: row.unbrokenUntilMs } : null;
};

/**
 * The upsert of a moment's rates, to run behind the fence; empty for no tables. A later reading of the same source, base and
 * moment replaces the earlier one.
 */
export const upsertOfFxTables = (tables: readonly FxObservation[]): SQL[] => {
  const distinct = new Map(tables.map((table) => [`${table.source} ${table.base} ${table.observedAtMs}`, table]));
  const rows = [...distinct.values()];
  if (rows.length === 0) return [];
  return [
    sql`
      insert into fx_tables (source, base, observed_at, role, fresh_for_ms, rates)
      select
        ${unnest(rows, (table) => table.source, "text")},
        ${unnest(rows, (table) => table.base, "text")},
        ${unnest(rows, (table) => formatInstant(table.observedAtMs), "timestamptz")},
        ${unnest(rows, (table) => table.role, "text")},
        ${unnest(rows, (table) => Math.round(table.freshForMs), "bigint")},
        ${unnestJson(rows.map(({ rates }) => rates))}
      from fence
      on conflict (source, base, observed_at) do update set
        role = excluded.role, fresh_for_ms = excluded.fresh_for_ms, rates = excluded.rates`,
  ];
};
