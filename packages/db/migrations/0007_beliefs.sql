CREATE TABLE "beliefs" (
	"instrument" text COLLATE "C" NOT NULL,
	"document" json NOT NULL,
	CONSTRAINT "beliefs_pk" PRIMARY KEY ("instrument")
);
