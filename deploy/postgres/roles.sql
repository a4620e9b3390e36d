-- A role with the least rights for each kind of process. Run it as the owner of the tables (who may create roles), after
-- `assay migrate`, in the database of Assay; and again after every upgrade. It may run any number of times.
--   DATABASE_URL=postgres://assay_owner:…@db/assay assay migrate
--   psql postgres://assay_owner:…@db/assay -v ON_ERROR_STOP=1 -f deploy/postgres/roles.sql
-- Then give each role a password: \password assay_api, and so on. `assay migrate`, `keys` and `import` go on as the owner.
begin;

do $$
declare
  wanted text;
begin
  foreach wanted in array array['assay_api', 'assay_stream', 'assay_writer'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls', wanted);
    end if;
  end loop;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to assay_api, assay_stream, assay_writer', current_database());
end $$;

revoke all on schema public from public;
revoke all on all tables in schema public from public, assay_api, assay_stream, assay_writer;
grant usage on schema public, drizzle to assay_api, assay_stream, assay_writer;
-- Which migrations have run: a process that starts on older tables than it needs refuses to.
grant select on drizzle.__drizzle_migrations to assay_api, assay_stream, assay_writer;

-- The market: written by the writer alone.
grant select on
  bars, ticks, fx_tables, rate_sets, day_pairs, settlements, dealer_quotes, surfaces, beliefs, archives, history_gaps, feed_runs, imports, source_records,
  writer_fence
  to assay_api, assay_stream;
grant select, insert, update, delete on
  bars, ticks, fx_tables, rate_sets, day_pairs, settlements, dealer_quotes, surfaces, beliefs, archives, history_gaps, feed_runs, imports, source_records,
  writer_fence
  to assay_writer;

-- The ledger of revisions, and what was superseded or removed: triggers write it with the owner's rights, so that no process can
-- change the past.
grant select on revisions, bars_past, settlements_past, fx_tables_past, corrections to assay_api, assay_stream, assay_writer;

-- Keys and usage. Only the owner creates organisations and sets their tier; an API process adds and revokes keys of those there
-- are (it updates the organisation's name, to itself, to lock its row).
grant select on organisations, api_keys to assay_api, assay_stream;
grant update (name) on organisations to assay_api;
grant insert on api_keys to assay_api;
grant update (last_used_at, revoked_at) on api_keys to assay_api;
grant update (last_used_at) on api_keys to assay_stream;
grant select, insert, update on usage_daily to assay_api, assay_stream;

-- Alerts: made by the API, judged and delivered by the writer, which reads what their owners may have, their tier and how long their
-- keys live but not the keys, and deletes what has expired. An API process changes no address and no event that is there, and adds none
-- of an alert: the writer signs what it finds.
grant select, insert, update on alerts to assay_api;
grant select, insert, update (secret, previous_secret, previous_until, deleted_at) on endpoints to assay_api;
grant select, insert (id, org_id, endpoint_id, type, payload, created_at, status, tries, next_try_at),
  update (status, tries, next_try_at) on deliveries to assay_api;
grant select, update on alert_revision to assay_api;
grant select (id, tier, alerts_suspended_at) on organisations to assay_writer;
grant select (org_id, revoked_at, expires_at) on api_keys to assay_writer;
grant select on alert_revision to assay_writer;
grant select, update, delete on alerts, endpoints to assay_writer;
grant select, insert, update, delete on alert_cursors, deliveries to assay_writer;

-- Responses kept for an Idempotency-Key: written by the API, expired ones deleted by the writer.
grant select, insert, update on idempotency_keys to assay_api;
grant select (created_at), delete on idempotency_keys to assay_writer;

-- The keys that sign cursors and archive links.
grant select, insert on service_secrets to assay_api;

commit;
