ALTER TABLE "imports" ADD COLUMN "first_start" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "last_start" timestamp with time zone;
