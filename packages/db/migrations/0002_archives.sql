CREATE TABLE "archives" (
	"symbol" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"year" integer NOT NULL,
	"changes" bigint NOT NULL,
	"built_changes" bigint,
	"built_at" timestamp with time zone,
	"rows" bigint,
	CONSTRAINT "archives_pk" PRIMARY KEY ("symbol", "interval", "year")
);
