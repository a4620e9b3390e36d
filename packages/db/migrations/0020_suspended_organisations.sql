-- When the operator suspended an organisation: its keys are refused until it is resumed.
ALTER TABLE "organisations" ADD COLUMN "suspended_at" timestamp with time zone;
--> statement-breakpoint
-- A suspended organisation has no more of its alerts than of its keys.
DROP TRIGGER "organisations_rights" ON "organisations";
--> statement-breakpoint
CREATE TRIGGER "organisations_rights" AFTER UPDATE OF "tier", "suspended_at", "alerts_suspended_at" ON "organisations"
	FOR EACH STATEMENT EXECUTE FUNCTION "note_rights"();
