-- When the operator suspended an organisation: its keys are refused until it is resumed.
ALTER TABLE "organisations" ADD COLUMN "suspended_at" timestamp with time zone;
