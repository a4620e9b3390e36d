-- Reference rates have revisions too, so that a past price in another currency can be repeated. Live tables have none: they are
-- kept for an hour.
ALTER TABLE "fx_tables" ADD COLUMN "revision" bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Tables that were restated or removed, as `bars_past`.
CREATE TABLE "fx_tables_past" (
	LIKE "fx_tables",
	"to_revision" bigint NOT NULL,
	CONSTRAINT "fx_tables_past_pk" PRIMARY KEY ("source", "base", "observed_at", "to_revision")
);
--> statement-breakpoint
CREATE FUNCTION "keep_past_rates"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	now_is bigint;
BEGIN
	IF TG_OP = 'UPDATE' AND (OLD.source, OLD.base, OLD.observed_at, OLD.role, OLD.rates::text)
		= (NEW.source, NEW.base, NEW.observed_at, NEW.role, NEW.rates::text) THEN
		NEW.revision := OLD.revision;
		RETURN NEW;
	END IF;
	now_is := revise();
	IF TG_OP <> 'INSERT' AND OLD.role = 'reference' AND OLD.revision < now_is THEN
		INSERT INTO fx_tables_past VALUES (OLD.source, OLD.base, OLD.observed_at, OLD.role, OLD.fresh_for_ms, OLD.rates, OLD.revision,
			now_is);
	END IF;
	IF TG_OP = 'DELETE' THEN
		RETURN OLD;
	END IF;
	NEW.revision := CASE WHEN NEW.role = 'reference' THEN now_is ELSE 0 END;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "rates_added" BEFORE INSERT ON "fx_tables"
	FOR EACH ROW WHEN (NEW.role = 'reference') EXECUTE FUNCTION "keep_past_rates"();
--> statement-breakpoint
CREATE TRIGGER "rates_restated" BEFORE UPDATE ON "fx_tables"
	FOR EACH ROW WHEN (OLD.role = 'reference' OR NEW.role = 'reference') EXECUTE FUNCTION "keep_past_rates"();
--> statement-breakpoint
CREATE TRIGGER "rates_removed" BEFORE DELETE ON "fx_tables"
	FOR EACH ROW WHEN (OLD.role = 'reference') EXECUTE FUNCTION "keep_past_rates"();
