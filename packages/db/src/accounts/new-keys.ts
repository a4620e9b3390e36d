/** Adds keys within the limit of their organisation, and replaces the calling key with a new one. */
import { eq, type SQL, sql } from "drizzle-orm";
import { StoreUnavailableError } from "../errors.ts";
import { apiKeys } from "../schema/accounts.ts";
import { formatInstant } from "../schema/columns.ts";
import { instantOf } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";
import { findAnswer, type KeptAnswer, keepAnswer, type NewAnswer } from "./idempotency.ts";
import { isLiveAt } from "./keys.ts";
import { claimSeat } from "./organisations.ts";

/** A new key, without the key itself. */
export interface NewKey {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** SHA-256, 64 hexadecimal digits. */
  readonly keyHash: string;
  readonly keyPrefix: string;
  readonly createdAtMs: number;
  /** When it ends by itself; null for never. */
  readonly expiresAtMs: number | null;
}

/** Adds a key without checking the organisation's limit. */
export const insertKey = (store: Store, key: NewKey): Promise<void> =>
  store.run(async (db) => {
    await db.insert(apiKeys).values(key);
  });

/**
 * The keys of an organisation at an instant, including those in grace. A statement that waited for a lock still sees the keys as of
 * before the wait, so counting them within the statement is not enough: every addition updates the organisation's row, and its
 * version (`xmin`) is compared with the one read with the count.
 */
interface KeySeats {
  readonly orgId: string;
  readonly live: number;
  /** The version of the organisation's row. */
  readonly version: string;
}

/** Counts them; null when there is no such organisation. */
const readKeySeats = (store: Store, orgId: string, atMs: number): Promise<KeySeats | null> =>
  store.run(async (db) => {
    const [row] = await rowsOf<{ live: number; version: string }>(
      db,
      sql`
        select organisations.xmin::text as version, (
          select count(*)::int from api_keys
          where org_id = organisations.id and ${isLiveAt(atMs)}
        ) as live
        from organisations where id = ${orgId}`,
    );
    return row ? { orgId, ...row } : null;
  });

/** Each lost attempt means that another key of the organisation was added meanwhile, or that the calling key ended. */
const MOST_TURNS = 50;

/**
 * Adds a key unless its organisation is at its limit, counting keys in grace.
 * @returns whether it was added
 */
export const addKey = async (store: Store, key: NewKey, mostKeys: number): Promise<boolean> => {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const seats = await readKeySeats(store, key.orgId, key.createdAtMs);
    if (!seats || seats.live >= mostKeys) return false;
    const added = await store.run((db) =>
      rowsOf(
        db,
        sql`
          with seat as (${claimSeat(seats)})
          insert into api_keys (id, org_id, name, key_hash, key_prefix, created_at, expires_at)
          select ${key.id}, id, ${key.name}, ${key.keyHash}, ${key.keyPrefix}, ${instantOf(key.createdAtMs)},
            ${key.expiresAtMs === null ? null : formatInstant(key.expiresAtMs)}::text::timestamptz
          from seat returning 1`,
      ),
    );
    if (added.length > 0) return true;
  }
  throw new StoreUnavailableError("too many keys of the organisation are being created at once");
};

export interface Rotation {
  readonly callerKeyId: string;
  /** It ends when the calling key would have: replacing a key does not make it last longer. */
  readonly newKey: Omit<NewKey, "expiresAtMs">;
  /** When the calling key ends. */
  readonly graceUntilMs: number;
  /** The organisation's key limit, counting keys in grace. */
  readonly mostKeys: number;
  /** Under an Idempotency-Key: where the response is kept, and how it is encrypted. */
  readonly idempotency?: NewAnswer;
}

export type RotationResult =
  | { readonly kind: "minted" }
  /** The Idempotency-Key was used before; nothing was minted. Compare its body digest with this request's. */
  | { readonly kind: "replayed"; readonly answer: KeptAnswer }
  /** The calling key ended before the rotation ran. */
  | { readonly kind: "caller_revoked" }
  /** The calling key was rotated before, and mints no more. */
  | { readonly kind: "caller_in_grace" }
  /** The organisation is at its key limit. */
  | { readonly kind: "limit_reached" };

/**
 * One statement that performs the rotation when the calling key is active, the number of keys is unchanged and no response is
 * stored yet, and does nothing otherwise. Rotations within one organisation are serialised on its row.
 */
const minting = ({ callerKeyId, newKey, graceUntilMs, idempotency }: Rotation, seats: KeySeats): SQL => {
  const turn = keepAnswer(idempotency, "caller", newKey.createdAtMs);
  return sql`
    with seat as (${claimSeat(seats)}), caller as (
      select api_keys.id, expires_at from api_keys join seat on seat.id = api_keys.org_id
      where api_keys.id = ${callerKeyId} and revoked_at is null and ${isLiveAt(newKey.createdAtMs)} for update of api_keys
    ), turn as (${turn}), minted as (
      insert into api_keys (id, org_id, name, key_hash, key_prefix, created_at, expires_at)
      select ${newKey.id}, ${newKey.orgId}, ${newKey.name}, ${newKey.keyHash}, ${newKey.keyPrefix}, ${instantOf(newKey.createdAtMs)}, expires_at
      from turn cross join caller
    ), ended as (
      update api_keys set revoked_at = ${instantOf(graceUntilMs)} from turn where id = ${callerKeyId}
    )
    select 1 from turn`;
};

/**
 * Mints the new key and gives the calling one its grace period. Of concurrent requests with the same Idempotency-Key one mints,
 * and the others find its response.
 */
export const rotateKey = async (store: Store, rotation: Rotation): Promise<RotationResult> => {
  const { callerKeyId, newKey, mostKeys, idempotency } = rotation;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [caller] = await store.run((db) =>
      db
        .select({ revokedAtMs: apiKeys.revokedAtMs, isLive: sql<boolean>`${isLiveAt(newKey.createdAtMs)}` })
        .from(apiKeys)
        .where(eq(apiKeys.id, callerKeyId)),
    );
    if (!caller?.isLive) return { kind: "caller_revoked" };
    // Read before looking for a stored response, so that a replay is not refused because its own first request reached the key
    // limit.
    const seats = await readKeySeats(store, newKey.orgId, newKey.createdAtMs);
    const answer = idempotency && (await findAnswer(store, idempotency.scopeHash, newKey.createdAtMs));
    if (answer) return { kind: "replayed", answer };
    if (caller.revokedAtMs !== null) return { kind: "caller_in_grace" };
    if (!seats) return { kind: "caller_revoked" };
    if (seats.live >= mostKeys) return { kind: "limit_reached" };
    const statement = minting(rotation, seats);
    if ((await store.run((db) => rowsOf(db, statement))).length > 0) return { kind: "minted" };
  }
  throw new StoreUnavailableError("the organisation's keys are being rotated by too many requests at once");
};
