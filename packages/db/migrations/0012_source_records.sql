-- What was counted of each source's readings of an instrument, by quarter of an hour and by day.
CREATE TABLE "source_records" (
	"span" text COLLATE "C" NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"instrument" text COLLATE "C" NOT NULL,
	"document" json NOT NULL,
	CONSTRAINT "source_records_pk" PRIMARY KEY ("span", "starts_at", "source", "instrument")
);
