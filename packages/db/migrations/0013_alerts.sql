-- Where an organisation's events are sent to, and the secrets they are signed with.
CREATE TABLE "endpoints" (
	"id" text COLLATE "C" PRIMARY KEY,
	"org_id" text COLLATE "C" NOT NULL REFERENCES "organisations" ("id"),
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"failing_since" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "endpoints_by_organisation" ON "endpoints" ("org_id");
--> statement-breakpoint
-- What an organisation wants to hear of, and where each alert stands. `revision` is that of its last change by its owner.
CREATE TABLE "alerts" (
	"id" text COLLATE "C" PRIMARY KEY,
	"org_id" text COLLATE "C" NOT NULL REFERENCES "organisations" ("id"),
	"name" text NOT NULL,
	"symbol" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"threshold" text,
	"window_seconds" integer,
	"once" boolean NOT NULL,
	"endpoint_id" text COLLATE "C" NOT NULL REFERENCES "endpoints" ("id"),
	"state" text COLLATE "C" NOT NULL,
	"has_fired" boolean NOT NULL,
	"seen_seq" bigint NOT NULL,
	"memory" text,
	"last_fired_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"revision" bigint NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "alerts_by_revision" ON "alerts" ("revision");
--> statement-breakpoint
CREATE INDEX "alerts_by_organisation" ON "alerts" ("org_id");
--> statement-breakpoint
-- Numbers the changes of alerts in the order of their commits, since each locks the row.
CREATE TABLE "alert_revision" (
	"id" smallint PRIMARY KEY,
	"revision" bigint NOT NULL,
	CONSTRAINT "alert_revision_is_one_row" CHECK ("id" = 1)
);
--> statement-breakpoint
INSERT INTO "alert_revision" ("id", "revision") VALUES (1, 0);
--> statement-breakpoint
-- The newest tick of each instrument that alerts were judged on, live and 15 minutes late.
CREATE TABLE "alert_cursors" (
	"instrument" text COLLATE "C" NOT NULL,
	"view" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"revision" bigint NOT NULL,
	CONSTRAINT "alert_cursors_pk" PRIMARY KEY ("instrument", "view")
);
--> statement-breakpoint
-- The outbox: each event with the bytes that are sent and signed, and what became of it.
CREATE TABLE "deliveries" (
	"id" text COLLATE "C" PRIMARY KEY,
	"org_id" text COLLATE "C" NOT NULL,
	"endpoint_id" text COLLATE "C" NOT NULL,
	"alert_id" text COLLATE "C",
	"seq" bigint,
	"type" text COLLATE "C" NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"tries" integer NOT NULL,
	"next_try_at" timestamp with time zone,
	"last_try_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text
);
--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" ("endpoint_id", "next_try_at") WHERE "status" = 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" ("alert_id", "type", "seq") WHERE "alert_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "deliveries_by_organisation" ON "deliveries" ("org_id", "created_at", "id");
