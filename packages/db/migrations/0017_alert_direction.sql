-- Of `moved`: which way the price has to move; those made before move either way.
ALTER TABLE "alerts" ADD COLUMN "direction" text COLLATE "C";
--> statement-breakpoint
UPDATE "alerts" SET "direction" = 'either' WHERE "kind" = 'moved';
