-- When the operator had a key end; the end of grace is `revoked_at`.
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;
