/** Responses kept for a day under an Idempotency-Key. */
import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { idempotencyKeys } from "../schema/accounts.ts";
import { instantOf } from "../statements/values.ts";
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

export interface NewAnswer extends IdempotencyScope {
  readonly seal: () => Uint8Array;
}

/**
 * A step that keeps the response of a change; no row when an unexpired one exists: then the change was made before.
 * @param answer undefined without an Idempotency-Key: then the step only passes on the row it reads
 * @param from the step with one row when the change may be made
 */
export const keepAnswer = (answer: NewAnswer | undefined, from: string, atMs: number): SQL => {
  if (!answer) return sql`select 1 from ${sql.raw(from)}`;
  return sql`
    insert into idempotency_keys as stored (scope_hash, body_digest, sealed, created_at)
    select ${answer.scopeHash}, ${answer.bodyDigest}, decode(${Buffer.from(answer.seal()).toString("hex")}, 'hex'), ${instantOf(atMs)}
    from ${sql.raw(from)}
    on conflict (scope_hash) do update set
      body_digest = excluded.body_digest, sealed = excluded.sealed, created_at = excluded.created_at
    where stored.created_at <= ${instantOf(atMs - IDEMPOTENCY_TTL_MS)}
    returning 1`;
};

export const findAnswer = (store: Store, scopeHash: string, atMs: number): Promise<KeptAnswer | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.scopeHash, scopeHash), gt(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS)));
    return row ?? null;
  });

export const pruneAnswers = (store: Store, atMs: number): Promise<void> =>
  store.run(async (db) => {
    await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAtMs, atMs - IDEMPOTENCY_TTL_MS));
  });
