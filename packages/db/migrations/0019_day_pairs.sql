-- How each day began: its first price and the last before it, with the numbers of the rates beside them. One row a day and instrument.
CREATE TABLE "day_pairs" (
	"instrument" text NOT NULL,
	"day" date NOT NULL,
	"opens" json NOT NULL,
	"before" json,
	CONSTRAINT "day_pairs_pk" PRIMARY KEY ("instrument", "day")
);
