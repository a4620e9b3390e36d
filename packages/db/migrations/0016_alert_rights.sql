-- When the operator suspended the alerts of an organisation.
ALTER TABLE "organisations" ADD COLUMN "alerts_suspended_at" timestamp with time zone;
--> statement-breakpoint
-- Counts the changes of what organisations may have, their tiers and keys: a judge of alerts reads these again when it has moved.
ALTER TABLE "alert_revision" ADD COLUMN "rights" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE FUNCTION "note_rights"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	UPDATE alert_revision SET rights = rights + 1 WHERE id = 1;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "organisations_rights" AFTER UPDATE OF "tier", "alerts_suspended_at" ON "organisations"
	FOR EACH STATEMENT EXECUTE FUNCTION "note_rights"();
--> statement-breakpoint
CREATE TRIGGER "api_keys_rights" AFTER INSERT OR DELETE OR UPDATE OF "revoked_at", "expires_at" ON "api_keys"
	FOR EACH STATEMENT EXECUTE FUNCTION "note_rights"();
--> statement-breakpoint
-- What waits of an alert is bounded, and so is looked up as it fires.
CREATE INDEX "deliveries_waiting" ON "deliveries" ("alert_id") WHERE "status" = 'pending';
--> statement-breakpoint
-- Nothing is signed for an endpoint that was deleted.
UPDATE "endpoints" SET "secret" = '', "previous_secret" = NULL WHERE "deleted_at" IS NOT NULL;
