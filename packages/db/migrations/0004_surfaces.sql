CREATE TABLE "surfaces" (
	"metal" text COLLATE "C" NOT NULL,
	"horizon" date NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"computed_at" timestamp with time zone NOT NULL,
	"document" json NOT NULL,
	CONSTRAINT "surfaces_pk" PRIMARY KEY ("metal", "horizon")
);
