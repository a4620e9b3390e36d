CREATE TABLE "history_gaps" (
	"symbol" text COLLATE "C" NOT NULL,
	"document" json NOT NULL,
	CONSTRAINT "history_gaps_pk" PRIMARY KEY ("symbol")
);
