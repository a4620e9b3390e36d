-- Some series are known by their closes alone: of such a bar the other three prices are null.
ALTER TABLE "bars" ALTER COLUMN "open" DROP NOT NULL, ALTER COLUMN "high" DROP NOT NULL, ALTER COLUMN "low" DROP NOT NULL;
