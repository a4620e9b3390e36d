-- Corrections name restated reference rates too, and what an import says of itself. Older processes go on as before: what they write
-- raises `ledger_revision` past `ledger_noted`, and the note is no longer of it.
ALTER TABLE "writer_fence"
	ADD COLUMN "ledger_source" text,
	ADD COLUMN "ledger_note" text,
	-- The revision that source and note belong to.
	ADD COLUMN "ledger_noted" bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
-- For corrections since a date.
CREATE INDEX "corrections_by_time" ON "corrections" ("recorded_at", "number");
--> statement-breakpoint
-- Appends an entry to the chain; the fence's row is locked. Keys are in canonical order; the note alone may need escapes, and JSON's are
-- those of RFC 8785. Fields that an entry of its kind always lacked are left out of it.
CREATE FUNCTION "note_entry"(of_symbol text, of_interval text, starts timestamptz, settles date, of_contract text, was text, becomes text,
	rated date, said_by text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	head writer_fence%ROWTYPE;
	last record;
	next_number bigint;
	written text;
BEGIN
	SELECT * INTO head FROM writer_fence;
	SELECT number, digest INTO last FROM corrections ORDER BY number DESC LIMIT 1;
	next_number := greatest(coalesce(last.number, 0), head.ledger_base) + 1;
	IF head.ledger_noted <> head.ledger_revision THEN
		head.ledger_source := NULL;
		head.ledger_note := NULL;
	END IF;
	written := '{"after":' || coalesce(becomes, 'null')
		|| ',"bar_start":' || coalesce('"' || to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null')
		|| ',"before":' || was
		|| ',"epoch":' || head.ledger_epoch
		|| ',"futures_contract":' || coalesce('"' || of_contract || '"', 'null')
		|| ',"interval":' || coalesce('"' || of_interval || '"', 'null')
		|| coalesce(',"note":' || to_json(head.ledger_note)::text, '')
		|| ',"number":' || next_number
		|| ',"previous":' || coalesce('"' || last.digest || '"', 'null')
		-- A moment that withdraws ticks may bring rates as well.
		|| ',"reason":"' || CASE WHEN rated IS NOT NULL AND head.ledger_reason = 'withdrawn' THEN 'publisher' ELSE head.ledger_reason END
		|| '","recorded_at":"' || to_char(head.ledger_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
		|| coalesce(',"reference_date":"' || to_char(rated, 'YYYY-MM-DD') || '"', '')
		|| ',"revision":' || head.ledger_revision
		|| ',"settlement_date":' || coalesce('"' || to_char(settles, 'YYYY-MM-DD') || '"', 'null')
		|| coalesce(',"source":"' || coalesce(said_by, head.ledger_source) || '"', '')
		|| ',"symbol":"' || of_symbol || '"}';
	INSERT INTO corrections VALUES (next_number, of_symbol, of_interval,
		coalesce(starts, coalesce(settles, rated)::timestamp AT TIME ZONE 'UTC'),
		head.ledger_at, written, encode(sha256(convert_to(written, 'UTF8')), 'hex'));
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_correction"(of_symbol text, of_interval text, starts timestamptz, settles date, of_contract text, was text, becomes text)
RETURNS void LANGUAGE sql AS $$
	SELECT note_entry(of_symbol, of_interval, starts, settles, of_contract, was, becomes, NULL, NULL)
$$;
--> statement-breakpoint
CREATE FUNCTION "rate_figures"(rate text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT '{"close":"' || rate || '","high":null,"low":null,"open":null,"volume":null}'
$$;
--> statement-breakpoint
-- An entry for each rate of a table that is no longer what it was, or is gone; one that only appears is no correction.
CREATE FUNCTION "note_restated_rates"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	is_kept boolean := TG_OP = 'UPDATE' AND (OLD.source, OLD.base, OLD.observed_at, OLD.role) = (NEW.source, NEW.base, NEW.observed_at, NEW.role);
	restated record;
BEGIN
	-- One that was stored in this very transaction has been seen by nobody.
	IF OLD.revision >= revise() THEN
		RETURN NULL;
	END IF;
	FOR restated IN
		SELECT stood.key AS currency, stood.value AS was, fresh.value AS becomes
		FROM json_each_text(OLD.rates) AS stood
		LEFT JOIN json_each_text(CASE WHEN is_kept THEN NEW.rates ELSE '{}' END) AS fresh ON fresh.key = stood.key
		WHERE fresh.value IS NULL OR fresh.value::numeric <> stood.value::numeric
		ORDER BY stood.key COLLATE "C"
	LOOP
		PERFORM note_entry(OLD.base || '-' || restated.currency || '-REFERENCE', NULL, NULL, NULL, NULL, rate_figures(restated.was),
			rate_figures(restated.becomes), (OLD.observed_at AT TIME ZONE 'UTC')::date, OLD.source);
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "rates_restatement_noted" AFTER UPDATE ON "fx_tables"
	FOR EACH ROW WHEN (OLD.role = 'reference' AND OLD.rates::text <> NEW.rates::text OR OLD.role = 'reference'
		AND (OLD.source, OLD.base, OLD.observed_at, OLD.role) <> (NEW.source, NEW.base, NEW.observed_at, NEW.role))
	EXECUTE FUNCTION "note_restated_rates"();
--> statement-breakpoint
CREATE TRIGGER "rates_removal_noted" AFTER DELETE ON "fx_tables"
	FOR EACH ROW WHEN (OLD.role = 'reference') EXECUTE FUNCTION "note_restated_rates"();
--> statement-breakpoint
REVOKE ALL ON FUNCTION "note_entry"(text, text, timestamptz, date, text, text, text, date, text) FROM PUBLIC;
