-- The rates that stood beside prices: one row whenever they change, which ticks name by its number. An older writer's ticks name none.
CREATE TABLE "rate_sets" (
	"id" bigint NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"document" json NOT NULL,
	CONSTRAINT "rate_sets_pk" PRIMARY KEY ("id")
);
--> statement-breakpoint
CREATE INDEX "rate_sets_by_time" ON "rate_sets" ("began_at");
