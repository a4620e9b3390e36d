-- Rises with every write that running bars may rest on, so that one who computed from what it read before is refused.
ALTER TABLE "writer_fence" ADD COLUMN "bars_revision" bigint NOT NULL DEFAULT 0;
