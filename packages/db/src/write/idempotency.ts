/** Answers kept for a day under an Idempotency-Key. */
import { and, eq, gt, lte } from "drizzle-orm";
import { idempotencyKeys } from "../schema/idempotency-keys.ts";
import type { Store } from "../store.ts";

/** How long an answer is kept: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

/** What a retry is recognised by. */
export interface IdempotencyScope {
  /** Digest of the caller and its Idempotency-Key. */
  readonly scopeHash: string;
  /** Digest of the request's body: the same key with another body is a fault of the caller. */
  readonly bodyDigest: string;
}

/** A kept answer, readable only to whoever can unseal it. */
export interface KeptAnswer extends IdempotencyScope {
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
}

/** Finds the unexpired answer of a scope. */
export const findAnswer = (store: Store, scopeHash: string, atMs: number): Promise<KeptAnswer | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.scopeHash, scopeHash), gt(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS)));
    return row ?? null;
  });

/** Drops expired answers. */
export const pruneAnswers = (store: Store, atMs: number): Promise<void> =>
  store.run(async (db) => {
    await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS));
  });
