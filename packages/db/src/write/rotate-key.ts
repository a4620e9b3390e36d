/** Replaces the calling key with a new one: once per Idempotency-Key, all or nothing. */
import { eq, type SQL, sql } from "drizzle-orm";
import { StoreUnavailableError } from "../errors.ts";
import { apiKeys } from "../schema/api-keys.ts";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";
import { findAnswer, IDEMPOTENCY_TTL_MS, type IdempotencyScope, type KeptAnswer } from "./idempotency.ts";
import { claimSeat, type KeySeats, readKeySeats } from "./key-seats.ts";
import type { NewKey } from "./keys.ts";

/** A rotation. */
export interface Rotation {
  /** The calling key's id. */
  readonly callerKeyId: string;
  readonly newKey: NewKey;
  /** When the calling key ends, unless it ends earlier already. */
  readonly graceUntilMs: number;
  /** The organisation's key limit, counting keys in grace. */
  readonly mostKeys: number;
  /** Under an Idempotency-Key: where the response is kept, and how it is encrypted once known. */
  readonly idempotency?: IdempotencyScope & {
    readonly seal: (previousKeyRevokesAtMs: number) => Uint8Array;
  };
}

/** The outcome of a rotation. */
export type RotationResult =
  | { readonly kind: "minted"; readonly previousKeyRevokesAtMs: number }
  /** The Idempotency-Key was used before; nothing was minted. Compare its body digest with this request's. */
  | { readonly kind: "replayed"; readonly answer: KeptAnswer }
  /** The calling key ended before the rotation ran. */
  | { readonly kind: "caller_revoked" }
  /** The organisation is at its key limit. */
  | { readonly kind: "limit_reached" };

/** Each lost attempt means that another key of the organisation was minted meanwhile, or that the calling key ended. */
const MOST_TURNS = 50;

const instant = (ms: number | null) => sql`${ms === null ? null : formatInstant(ms)}::text::timestamptz`;

/** Stores the response; no row when an unexpired one exists. */
const keeping = ({ scopeHash, bodyDigest }: IdempotencyScope, sealed: Uint8Array, atMs: number) => sql`
  insert into idempotency_keys as stored (scope_hash, body_digest, sealed, created_at)
  select ${scopeHash}, ${bodyDigest}, decode(${Buffer.from(sealed).toString("hex")}, 'hex'), ${instant(atMs)} from caller
  on conflict (scope_hash) do update set
    body_digest = excluded.body_digest, sealed = excluded.sealed, created_at = excluded.created_at
  where stored.created_at <= ${instant(atMs - IDEMPOTENCY_TTL_MS)}
  returning 1`;

/**
 * One statement that performs the rotation when the calling key and the number of keys are unchanged and no response is stored
 * yet, and does nothing otherwise. Rotations within one organisation are serialised on its row.
 */
const minting = (rotation: Rotation, seats: KeySeats, seenRevokedAtMs: number | null, revokesAtMs: number): SQL => {
  const { callerKeyId, newKey, idempotency } = rotation;
  const turn = idempotency ? keeping(idempotency, idempotency.seal(revokesAtMs), newKey.createdAtMs) : sql`select 1 from caller`;
  return sql`
    with seat as (${claimSeat(seats)}), caller as (
      select api_keys.id from api_keys join seat on seat.id = api_keys.org_id
      where api_keys.id = ${callerKeyId} and revoked_at is not distinct from ${instant(seenRevokedAtMs)} for update of api_keys
    ), turn as (${turn}), minted as (
      insert into api_keys (id, org_id, name, key_hash, key_prefix, created_at)
      select ${newKey.id}, ${newKey.orgId}, ${newKey.name}, ${newKey.keyHash}, ${newKey.keyPrefix}, ${instant(newKey.createdAtMs)}
      from turn
    ), ended as (
      update api_keys set revoked_at = ${instant(revokesAtMs)} from turn where id = ${callerKeyId}
    )
    select 1 from turn`;
};

/**
 * Mints the new key and gives the calling one its grace period. Of concurrent requests with the same Idempotency-Key one mints,
 * and the others find its response.
 */
export const rotateKey = async (store: Store, rotation: Rotation): Promise<RotationResult> => {
  const { callerKeyId, newKey, graceUntilMs, mostKeys, idempotency } = rotation;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [caller] = await store.run((db) =>
      db.select({ revokedAtMs: apiKeys.revokedAtMs }).from(apiKeys).where(eq(apiKeys.id, callerKeyId)),
    );
    if (!caller || (caller.revokedAtMs !== null && caller.revokedAtMs <= newKey.createdAtMs)) return { kind: "caller_revoked" };
    // Read before looking for a stored response, so that a replay is not refused because its own first request reached the key
    // limit.
    const seats = await readKeySeats(store, newKey.orgId, newKey.createdAtMs);
    const answer = idempotency && (await findAnswer(store, idempotency.scopeHash, newKey.createdAtMs));
    if (answer) return { kind: "replayed", answer };
    if (!seats) return { kind: "caller_revoked" };
    if (seats.live >= mostKeys) return { kind: "limit_reached" };
    const previousKeyRevokesAtMs = Math.min(caller.revokedAtMs ?? graceUntilMs, graceUntilMs);
    const statement = minting(rotation, seats, caller.revokedAtMs, previousKeyRevokesAtMs);
    if ((await store.run((db) => rowsOf(db, statement))).length > 0) return { kind: "minted", previousKeyRevokesAtMs };
  }
  throw new StoreUnavailableError("the organisation's keys are being rotated by too many requests at once");
};
