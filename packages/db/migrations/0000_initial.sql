CREATE TABLE "organisations" (
	"id" text COLLATE "C" PRIMARY KEY,
	"name" text NOT NULL,
	"tier" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY,
	"org_id" text COLLATE "C" NOT NULL REFERENCES "organisations" ("id"),
	"name" text NOT NULL,
	"key_hash" text COLLATE "C" NOT NULL CONSTRAINT "api_keys_key_hash_unique" UNIQUE,
	"key_prefix" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_is_sha256" CHECK ("key_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE INDEX "api_keys_by_organisation" ON "api_keys" ("org_id");
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope_hash" text COLLATE "C" PRIMARY KEY,
	"body_digest" text NOT NULL,
	"sealed" bytea NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_daily" (
	"org_id" text COLLATE "C" NOT NULL,
	"day" date NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "usage_daily_pk" PRIMARY KEY ("org_id", "day")
);
--> statement-breakpoint
CREATE TABLE "bars" (
	"symbol" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"bar_start" timestamp with time zone NOT NULL,
	"open" numeric NOT NULL,
	"high" numeric NOT NULL,
	"low" numeric NOT NULL,
	"close" numeric NOT NULL,
	"volume" numeric,
	"is_closed" boolean NOT NULL,
	"source_id" text NOT NULL,
	CONSTRAINT "bars_pk" PRIMARY KEY ("symbol", "interval", "bar_start")
);
--> statement-breakpoint
CREATE TABLE "ticks" (
	"instrument" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"computed_at" timestamp with time zone NOT NULL,
	"payload" json NOT NULL,
	CONSTRAINT "ticks_pk" PRIMARY KEY ("instrument", "seq")
);
--> statement-breakpoint
CREATE INDEX "ticks_by_time" ON "ticks" ("computed_at");
--> statement-breakpoint
CREATE TABLE "fx_tables" (
	"source" text COLLATE "C" NOT NULL,
	"base" text COLLATE "C" NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"role" text NOT NULL,
	"fresh_for_ms" bigint NOT NULL,
	"rates" json NOT NULL,
	CONSTRAINT "fx_tables_pk" PRIMARY KEY ("source", "base", "observed_at")
);
--> statement-breakpoint
CREATE TABLE "writer_fence" (
	"id" smallint PRIMARY KEY CONSTRAINT "writer_fence_is_one_row" CHECK ("id" = 1),
	"token" bigint NOT NULL,
	"holder" text NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
INSERT INTO "writer_fence" VALUES (1, 0, '', 'epoch');
--> statement-breakpoint
CREATE TABLE "service_secrets" (
	"name" text COLLATE "C" PRIMARY KEY,
	"value" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_runs" (
	"feed" text COLLATE "C" PRIMARY KEY,
	"last_attempt_at" timestamp with time zone NOT NULL,
	"last_success_at" timestamp with time zone,
	"consecutive_failures" bigint NOT NULL,
	"rejected_observations" bigint NOT NULL,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"file_digest" text COLLATE "C" NOT NULL,
	"symbol" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"rows" bigint NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	CONSTRAINT "imports_pk" PRIMARY KEY ("file_digest", "symbol", "interval")
);
