/** Answers kept for a day under an Idempotency-Key. */
import { and, eq, gt, lte, sql } from "drizzle-orm";
import { idempotencyKeys } from "../schema/idempotency-keys.ts";
import type { Database, Store } from "../store.ts";

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

/** Finds an answer inside a transaction. */
export const findAnswerIn = async (db: Database, scopeHash: string, atMs: number): Promise<KeptAnswer | null> => {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.scopeHash, scopeHash), gt(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS)));
  return row ?? null;
};

/** Keeps an answer inside a transaction; it takes the place of an expired one. */
export const keepAnswerIn = async (db: Database, answer: KeptAnswer): Promise<void> => {
  await db
    .insert(idempotencyKeys)
    .values(answer)
    .onConflictDoUpdate({
      target: idempotencyKeys.scopeHash,
      set: { bodyDigest: sql`excluded.body_digest`, sealed: sql`excluded.sealed`, createdAtMs: sql`excluded.created_at` },
    });
};

/** Finds the unexpired answer of a scope. */
export const findAnswer = (store: Store, scopeHash: string, atMs: number): Promise<KeptAnswer | null> =>
  store.run((db) => findAnswerIn(db, scopeHash, atMs));

/** Keeps an answer; it takes the place of an expired one. */
export const keepAnswer = (store: Store, answer: KeptAnswer): Promise<void> => store.run((db) => keepAnswerIn(db, answer));

/** Drops expired answers inside a transaction. */
export const pruneAnswersIn = async (db: Database, atMs: number): Promise<void> => {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS));
};
