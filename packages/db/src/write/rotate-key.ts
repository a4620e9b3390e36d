/** Minting a key in place of the caller's: one transaction, once per Idempotency-Key. */
import { eq } from "drizzle-orm";
import { apiKeys } from "../schema/api-keys.ts";
import type { Store } from "../store.ts";
import { findAnswerIn, type IdempotencyScope, type KeptAnswer, keepAnswerIn } from "./idempotency.ts";
import type { NewKey } from "./keys.ts";

/** A rotation. */
export interface Rotation {
  /** The calling key's id. */
  readonly callerKeyId: string;
  readonly newKey: NewKey;
  /** When the calling key ends, unless it ends earlier already. */
  readonly graceUntilMs: number;
  /** Under an Idempotency-Key: where the answer is kept, and how it is sealed once it is known. */
  readonly idempotency?: IdempotencyScope & {
    readonly seal: (previousKeyRevokesAtMs: number) => Uint8Array;
  };
}

/** How a rotation ended. */
export type RotationResult =
  | { readonly kind: "minted"; readonly previousKeyRevokesAtMs: number }
  /** The same Idempotency-Key was answered before; nothing was minted. Compare its body digest with this request's. */
  | { readonly kind: "replayed"; readonly answer: KeptAnswer }
  /** The calling key ended before its turn came. */
  | { readonly kind: "caller_revoked" };

/**
 * Mints the new key and gives the calling one its grace. Requests of one calling key take turns at its row, so two with
 * the same Idempotency-Key at the same moment mint once and the second finds the first one's answer.
 */
export const rotateKey = (store: Store, rotation: Rotation): Promise<RotationResult> =>
  store.transaction(async (db) => {
    const atMs = rotation.newKey.createdAtMs;
    const [caller] = await db
      .select({ revokedAtMs: apiKeys.revokedAtMs })
      .from(apiKeys)
      .where(eq(apiKeys.id, rotation.callerKeyId))
      .for("update");
    if (!caller || (caller.revokedAtMs !== null && caller.revokedAtMs <= atMs)) return { kind: "caller_revoked" };
    if (rotation.idempotency) {
      const answer = await findAnswerIn(db, rotation.idempotency.scopeHash, atMs);
      if (answer) return { kind: "replayed", answer };
    }
    const previousKeyRevokesAtMs = Math.min(caller.revokedAtMs ?? rotation.graceUntilMs, rotation.graceUntilMs);
    await db.insert(apiKeys).values(rotation.newKey);
    await db.update(apiKeys).set({ revokedAtMs: previousKeyRevokesAtMs }).where(eq(apiKeys.id, rotation.callerKeyId));
    if (rotation.idempotency) {
      const { scopeHash, bodyDigest, seal } = rotation.idempotency;
      await keepAnswerIn(db, { scopeHash, bodyDigest, sealed: seal(previousKeyRevokesAtMs), createdAtMs: atMs });
    }
    return { kind: "minted", previousKeyRevokesAtMs };
  });
