-- The ledger: what was stored at any instant since it began. A revision is one statement that wrote closed bars or settlements; its number
-- rises in the order of commits, because whoever takes one holds the fence's row until the commit.
ALTER TABLE "writer_fence"
	ADD COLUMN "ledger_revision" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "ledger_at" timestamp with time zone NOT NULL DEFAULT 'epoch',
	ADD COLUMN "ledger_reason" text NOT NULL DEFAULT 'operator',
	ADD COLUMN "ledger_epoch" bigint NOT NULL DEFAULT 1,
	-- Corrections are numbered from here on.
	ADD COLUMN "ledger_base" bigint NOT NULL DEFAULT 0,
	-- The transaction that took the newest revision.
	ADD COLUMN "ledger_xact" bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE TABLE "revisions" (
	"revision" bigint PRIMARY KEY,
	"recorded_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"epoch" bigint NOT NULL,
	-- What the rows of a COPY carry in place of the revision, which is known only when the COPY ends.
	"copy" bigint CONSTRAINT "revisions_copy_unique" UNIQUE
);
--> statement-breakpoint
CREATE INDEX "revisions_by_time" ON "revisions" ("recorded_at", "revision");
--> statement-breakpoint
CREATE SEQUENCE "copies";
--> statement-breakpoint
-- Rows from before the ledger have revision 0.
ALTER TABLE "bars" ADD COLUMN "revision" bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "revision" bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Rows that were superseded or removed: they stood from `revision` until `to_revision`, exclusive.
CREATE TABLE "bars_past" (
	LIKE "bars",
	"to_revision" bigint NOT NULL,
	CONSTRAINT "bars_past_pk" PRIMARY KEY ("symbol", "interval", "bar_start", "to_revision")
);
--> statement-breakpoint
CREATE TABLE "settlements_past" (
	LIKE "settlements",
	"to_revision" bigint NOT NULL,
	CONSTRAINT "settlements_past_pk" PRIMARY KEY ("symbol", "settlement_date", "futures_contract", "source", "observed_at", "to_revision")
);
--> statement-breakpoint
-- What callers may have seen and is no longer so. `entry` is the canonical JSON that `digest` is the SHA-256 of; it names the digest before.
CREATE TABLE "corrections" (
	"number" bigint PRIMARY KEY,
	"symbol" text COLLATE "C" NOT NULL,
	-- Null for a settlement.
	"interval" text COLLATE "C",
	"starts_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"entry" text NOT NULL,
	"digest" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "corrections_by_series" ON "corrections" ("symbol", "interval", "number");
--> statement-breakpoint
CREATE FUNCTION "record_revision"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO revisions VALUES (NEW.ledger_revision, NEW.ledger_at, NEW.ledger_reason, NEW.ledger_epoch, NULL);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "revision_recorded" AFTER UPDATE ON "writer_fence"
	FOR EACH ROW WHEN (NEW.ledger_revision > OLD.ledger_revision) EXECUTE FUNCTION "record_revision"();
--> statement-breakpoint
-- The revision of this transaction. Statements of ours take one with the fence; this is for the others: COPY, older processes, an
-- operator's own. They have no instant of ours: `assay.ahead` is how far the service's clock is ahead of the database's.
CREATE FUNCTION "revise"() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	mine bigint;
BEGIN
	SELECT ledger_revision INTO mine FROM writer_fence WHERE ledger_xact = pg_current_xact_id()::text::bigint;
	IF FOUND THEN
		RETURN mine;
	END IF;
	UPDATE writer_fence SET
		ledger_revision = ledger_revision + 1,
		ledger_at = greatest(ledger_at, date_trunc('milliseconds',
			clock_timestamp() + coalesce(nullif(current_setting('assay.ahead', true), ''), '0')::interval + interval '1 millisecond')),
		ledger_reason = 'operator',
		ledger_xact = pg_current_xact_id()::text::bigint
	RETURNING ledger_revision INTO mine;
	RETURN mine;
END $$;
--> statement-breakpoint
CREATE FUNCTION "begin_copy"() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	copied bigint := -nextval('copies');
BEGIN
	PERFORM set_config('assay.copy', copied::text, true);
	RETURN copied;
END $$;
--> statement-breakpoint
-- A revision taken for a COPY at its first row would keep every other writer waiting until its last.
ALTER TABLE "bars" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('assay.copy', true), '')::bigint, "begin_copy"());
--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('assay.copy', true), '')::bigint, "begin_copy"());
--> statement-breakpoint
CREATE FUNCTION "end_copy"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	mine bigint := revise();
BEGIN
	UPDATE revisions SET copy = current_setting('assay.copy')::bigint WHERE revision = mine;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "bars_copied" AFTER INSERT ON "bars"
	FOR EACH STATEMENT WHEN (nullif(current_setting('assay.copy', true), '') IS NOT NULL) EXECUTE FUNCTION "end_copy"();
--> statement-breakpoint
CREATE TRIGGER "settlements_copied" AFTER INSERT ON "settlements"
	FOR EACH STATEMENT WHEN (nullif(current_setting('assay.copy', true), '') IS NOT NULL) EXECUTE FUNCTION "end_copy"();
--> statement-breakpoint
-- A figure as answers have it. Kept in the database because an entry is written by whoever writes the bar.
CREATE FUNCTION "wire_figure"(figure numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce('"' || round(figure, CASE WHEN abs(figure) >= 100 THEN 2 WHEN abs(figure) >= 1 THEN 4 ELSE 6 END) || '"', 'null')
$$;
--> statement-breakpoint
CREATE FUNCTION "wire_figures"(open numeric, high numeric, low numeric, close numeric, volume numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT '{"close":' || wire_figure(close) || ',"high":' || wire_figure(high) || ',"low":' || wire_figure(low)
		|| ',"open":' || wire_figure(open) || ',"volume":' || coalesce('"' || trim_scale(volume) || '"', 'null') || '}'
$$;
--> statement-breakpoint
-- Appends an entry to the chain; the fence's row is locked. Keys are in canonical order, and no text in it needs escapes.
CREATE FUNCTION "note_correction"(of_symbol text, of_interval text, starts timestamptz, settles date, of_contract text, was text, becomes text)
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
	written := '{"after":' || coalesce(becomes, 'null')
		|| ',"bar_start":' || coalesce('"' || to_char(starts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null')
		|| ',"before":' || was
		|| ',"epoch":' || head.ledger_epoch
		|| ',"futures_contract":' || coalesce('"' || of_contract || '"', 'null')
		|| ',"interval":' || coalesce('"' || of_interval || '"', 'null')
		|| ',"number":' || next_number
		|| ',"previous":' || coalesce('"' || last.digest || '"', 'null')
		|| ',"reason":"' || head.ledger_reason
		|| '","recorded_at":"' || to_char(head.ledger_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
		|| '","revision":' || head.ledger_revision
		|| ',"settlement_date":' || coalesce('"' || to_char(settles, 'YYYY-MM-DD') || '"', 'null')
		|| ',"symbol":"' || of_symbol || '"}';
	INSERT INTO corrections VALUES (next_number, of_symbol, of_interval, coalesce(starts, settles::timestamp AT TIME ZONE 'UTC'),
		head.ledger_at, written, encode(sha256(convert_to(written, 'UTF8')), 'hex'));
END $$;
--> statement-breakpoint
-- From when a row stood. Null for one that was copied in this very transaction, which nobody has seen.
CREATE FUNCTION "revision_of"(carried bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN carried >= 0 THEN carried ELSE (SELECT revision FROM revisions WHERE copy = carried) END
$$;
--> statement-breakpoint
CREATE FUNCTION "keep_past_bar"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	stood bigint := revision_of(OLD.revision);
	now_is bigint;
	is_same_bar boolean;
	becomes text;
BEGIN
	IF TG_OP = 'UPDATE' THEN
		is_same_bar := (OLD.symbol, OLD.interval, OLD.bar_start) = (NEW.symbol, NEW.interval, NEW.bar_start);
		IF is_same_bar AND NEW.is_closed AND (OLD.open, OLD.high, OLD.low, OLD.close, OLD.volume)
			IS NOT DISTINCT FROM (NEW.open, NEW.high, NEW.low, NEW.close, NEW.volume) THEN
			NEW.revision := OLD.revision;
			RETURN NEW;
		END IF;
		IF is_same_bar AND NEW.is_closed THEN
			becomes := wire_figures(NEW.open, NEW.high, NEW.low, NEW.close, NEW.volume);
		END IF;
	END IF;
	now_is := revise();
	IF stood < now_is THEN
		INSERT INTO bars_past VALUES (OLD.symbol, OLD.interval, OLD.bar_start, OLD.open, OLD.high, OLD.low, OLD.close, OLD.volume,
			OLD.is_closed, OLD.source_id, stood, now_is);
		IF becomes IS DISTINCT FROM wire_figures(OLD.open, OLD.high, OLD.low, OLD.close, OLD.volume) THEN
			PERFORM note_correction(OLD.symbol, OLD.interval, OLD.bar_start, NULL, NULL,
				wire_figures(OLD.open, OLD.high, OLD.low, OLD.close, OLD.volume), becomes);
		END IF;
	END IF;
	IF TG_OP = 'DELETE' THEN
		RETURN OLD;
	END IF;
	NEW.revision := now_is;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "bars_kept" BEFORE UPDATE OR DELETE ON "bars"
	FOR EACH ROW WHEN (OLD.is_closed) EXECUTE FUNCTION "keep_past_bar"();
--> statement-breakpoint
CREATE FUNCTION "close_bar"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	NEW.revision := revise();
	RETURN NEW;
END $$;
--> statement-breakpoint
-- Of an older process, which does not know the column.
CREATE TRIGGER "bars_closed" BEFORE UPDATE ON "bars"
	FOR EACH ROW WHEN (NEW.is_closed AND NOT OLD.is_closed AND NEW.revision = OLD.revision) EXECUTE FUNCTION "close_bar"();
--> statement-breakpoint
CREATE FUNCTION "keep_past_settlement"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	stood bigint := revision_of(OLD.revision);
	now_is bigint := revise();
	becomes text;
BEGIN
	IF TG_OP = 'UPDATE' THEN
		becomes := wire_figures(NULL, NULL, NULL, NEW.price, NEW.volume);
	END IF;
	IF stood < now_is THEN
		INSERT INTO settlements_past VALUES (OLD.symbol, OLD.futures_contract, OLD.settlement_date, OLD.source, OLD.observed_at, OLD.price,
			OLD.volume, OLD.open_interest, OLD.source_type, OLD.fetched_at, stood, now_is);
		IF becomes IS DISTINCT FROM wire_figures(NULL, NULL, NULL, OLD.price, OLD.volume) THEN
			PERFORM note_correction(OLD.symbol, NULL, NULL, OLD.settlement_date, OLD.futures_contract,
				wire_figures(NULL, NULL, NULL, OLD.price, OLD.volume), becomes);
		END IF;
	END IF;
	IF TG_OP = 'DELETE' THEN
		RETURN OLD;
	END IF;
	NEW.revision := now_is;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "settlements_kept" BEFORE UPDATE OR DELETE ON "settlements"
	FOR EACH ROW EXECUTE FUNCTION "keep_past_settlement"();
--> statement-breakpoint
-- A publisher's later figure is a row beside the one it corrects: the exchange's own counts first, then the one said last.
CREATE FUNCTION "note_outranked"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	pair record;
BEGIN
	FOR pair IN
		SELECT fresh.*, stood.price AS stood_price, stood.volume AS stood_volume FROM fresh CROSS JOIN LATERAL (
			SELECT price, volume, source_type, observed_at FROM settlements
			WHERE settlements.symbol = fresh.symbol AND settlements.settlement_date = fresh.settlement_date
				AND settlements.futures_contract = fresh.futures_contract
				AND (settlements.source, settlements.observed_at) <> (fresh.source, fresh.observed_at)
			ORDER BY (source_type = 'official_settlement') DESC, observed_at DESC, source LIMIT 1
		) AS stood
		WHERE stood.price <> fresh.price
			AND (stood.source_type = 'official_settlement', stood.observed_at) < (fresh.source_type = 'official_settlement', fresh.observed_at)
		ORDER BY fresh.symbol, fresh.settlement_date, fresh.futures_contract, fresh.observed_at
	LOOP
		PERFORM revise();
		PERFORM note_correction(pair.symbol, NULL, NULL, pair.settlement_date, pair.futures_contract,
			wire_figures(NULL, NULL, NULL, pair.stood_price, pair.stood_volume), wire_figures(NULL, NULL, NULL, pair.price, pair.volume));
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "settlements_outranked" AFTER INSERT ON "settlements" REFERENCING NEW TABLE AS "fresh"
	FOR EACH STATEMENT EXECUTE FUNCTION "note_outranked"();
--> statement-breakpoint
-- They run with the owner's rights, so that no process may change the past, and only from triggers.
REVOKE ALL ON FUNCTION "revise"(), "note_correction"(text, text, timestamptz, date, text, text, text) FROM PUBLIC;
