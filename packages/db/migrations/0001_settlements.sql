CREATE TABLE "settlements" (
	"symbol" text COLLATE "C" NOT NULL,
	"futures_contract" text COLLATE "C" NOT NULL,
	"settlement_date" date NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"volume" bigint,
	"open_interest" bigint,
	"source_type" text NOT NULL,
	"fetched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "settlements_pk" PRIMARY KEY ("symbol", "futures_contract", "settlement_date", "source", "observed_at")
);
--> statement-breakpoint
CREATE INDEX "settlements_by_day" ON "settlements" ("symbol", "settlement_date");
