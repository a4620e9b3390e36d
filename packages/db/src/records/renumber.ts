/**
 * Numbering after a restore. The numbers given out after the backup was made are in no table, and a client must never see one of
 * them again with another price; so everything is shifted to numbers that cannot have been reached.
 */
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";

/** More numbers than any series gives out in a millisecond. */
const SPARE = 1_000;
/** More corrections than any engine writes in a millisecond. */
const CORRECTIONS_PER_MS = 100;

/**
 * Shifts the numbers of ticks and dealer quotes, and the belief states and alerts that refer to them, by more than a number a
 * millisecond since the newest tick; a writer that still runs is refused from then on. The ledger begins an epoch that never was,
 * also when one backup is restored twice: what was recorded after the backup is in none, and its numbers are not given out again
 * either.
 * @param atMs now, epoch milliseconds
 * @returns by how much; null when there is no tick
 */
export const renumber = async (store: Store, atMs: number): Promise<number | null> => {
  const rows = await store.run(
    (db) =>
      rowsOf<{ shift: number | null }>(
        db,
        sql`
          with fence as (
            update writer_fence set token = token + 1, holder = 'renumber', since = ${formatInstant(atMs)}::text::timestamptz,
              ledger_epoch = ledger_epoch + passed_ms + 1,
              ledger_revision = ledger_revision + passed_ms + ${SPARE}::int,
              ledger_base = greatest(ledger_base, (select max(number) from corrections)) + ${CORRECTIONS_PER_MS}::int * passed_ms + ${SPARE}::int,
              ledger_at = greatest(ledger_at, ${formatInstant(atMs)}::text::timestamptz),
              ledger_reason = 'operator'
            from (
              select greatest(0, ceil(extract(epoch from ${formatInstant(atMs)}::text::timestamptz - ledger_at) * 1000))::bigint as passed_ms
              from writer_fence
            ) as since_backup
            returning 1
          ), quiet as (
            -- Prices or live rates were stored since the last revision: until then nothing else was recorded, but for what was on its way.
            insert into revisions (revision, recorded_at, reason, epoch)
            select ledger_revision + 1, least(last.run_at, ${formatInstant(atMs)}::text::timestamptz) - interval '1 minute', 'operator', ledger_epoch
            from writer_fence, (
              select greatest((select max(observed_at) from fx_tables where role = 'live'), (select max(computed_at) from ticks)) as run_at
            ) as last
            where last.run_at - interval '1 minute' > ledger_at
          ), reached as (
            -- Beyond every number there is as well: rows are shifted one by one, and must not meet.
            select greatest(0, ceil(extract(epoch from ${formatInstant(atMs)}::text::timestamptz - max(computed_at)) * 1000))::bigint
              + greatest(max(seq), (select max(seq) from dealer_quotes)) + ${SPARE}::int as shift
            from ticks, fence
          ), shifted_ticks as (
            update ticks set
              seq = seq + shift,
              payload = jsonb_set(payload::jsonb, '{seq}', to_jsonb(seq + shift))::json
            from reached where shift is not null
          ), shifted_quotes as (
            update dealer_quotes set seq = seq + shift from reached where shift is not null
          ), shifted_cursors as (
            update alert_cursors set seq = seq + shift from reached where shift is not null
          ), shifted_events as (
            update deliveries set seq = seq + shift from reached where shift is not null and seq is not null
          ), shifted_alerts as (
            update alerts set
              seen_seq = seen_seq + shift,
              memory = case when memory::jsonb #> '{before,fromSeq}' is null then memory else jsonb_set(
                memory::jsonb, '{before,fromSeq}', to_jsonb((memory::jsonb #>> '{before,fromSeq}')::bigint + shift))::text end
            from reached where shift is not null
          ), shifted_beliefs as (
            update beliefs set document = (
              document::jsonb
              || jsonb_build_object('withdrawn', (
                select coalesce(jsonb_agg(hidden || jsonb_build_object(
                  'fromSeq', (hidden ->> 'fromSeq')::bigint + shift, 'toSeq', (hidden ->> 'toSeq')::bigint + shift)), '[]')
                from jsonb_array_elements(document::jsonb -> 'withdrawn') as hidden))
              || case when jsonb_typeof(document::jsonb -> 'probation') = 'object' then
                jsonb_build_object('probation', document::jsonb -> 'probation' || jsonb_build_object(
                  'fromSeq', (document::jsonb -> 'probation' ->> 'fromSeq')::bigint + shift))
                else '{}' end
              || case when document::jsonb ? 'doubted' then
                jsonb_build_object('doubted', (
                  select coalesce(jsonb_agg(tick || jsonb_build_object('seq', (tick ->> 'seq')::bigint + shift)), '[]')
                  from jsonb_array_elements(document::jsonb -> 'doubted') as tick))
                else '{}' end
            )::json
            from reached where shift is not null
          )
          select shift::float8 as shift from reached`,
      ),
    BULK_TIMEOUT_MS,
  );
  return rows[0]?.shift ?? null;
};
