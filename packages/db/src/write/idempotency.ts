/** Responses kept for a day under an Idempotency-Key. */
import { and, eq, gt, lte } from "drizzle-orm";
import { idempotencyKeys } from "../schema/idempotency-keys.ts";
import type { Store } from "../store.ts";

/** How long a response is kept: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

/** What identifies a retry. */
export interface IdempotencyScope {
  /** Digest of the caller and its Idempotency-Key. */
  readonly scopeHash: string;
  /** Digest of the request's body: reusing the key with another body is a client error. */
  readonly bodyDigest: string;
}

/** A kept response, encrypted. */
export interface KeptAnswer extends IdempotencyScope {
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
}

/** Finds the unexpired response of a scope. */
export const findAnswer = (store: Store, scopeHash: string, atMs: number): Promise<KeptAnswer | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.scopeHash, scopeHash), gt(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS)));
    return row ?? null;
  });

/** Deletes expired responses. */
export const pruneAnswers = (store: Store, atMs: number): Promise<void> =>
  store.run(async (db) => {
    await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS));
  });
