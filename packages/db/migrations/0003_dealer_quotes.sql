CREATE TABLE "dealer_quotes" (
	"country" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"dealer" text NOT NULL,
	"kind" text NOT NULL,
	"metal" text NOT NULL,
	"product" text NOT NULL,
	"form" text NOT NULL,
	"karat" numeric NOT NULL,
	"fineness" numeric,
	"weight" numeric NOT NULL,
	"weight_unit" text NOT NULL,
	"currency" text NOT NULL,
	"sell" numeric,
	"buyback" numeric,
	"tax_included" boolean NOT NULL,
	"source_url" text NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"fetched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "dealer_quotes_pk" PRIMARY KEY ("country", "seq")
);
--> statement-breakpoint
CREATE INDEX "dealer_quotes_by_product" ON "dealer_quotes" ("country", "product_id", "seq");
--> statement-breakpoint
CREATE INDEX "dealer_quotes_by_time" ON "dealer_quotes" ("fetched_at");
