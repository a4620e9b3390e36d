/** Writes organisations and keys to the store. */
import type { TierName } from "@assay/contract";
import { and, eq, sql } from "drizzle-orm";
import { StoreUnavailableError } from "../errors.ts";
import { apiKeys } from "../schema/api-keys.ts";
import { formatInstant } from "../schema/columns.ts";
import { organisations } from "../schema/organisations.ts";
import { rowsOf, type Store } from "../store.ts";
import { unnest } from "./columns.ts";
import { claimSeat, readKeySeats } from "./key-seats.ts";

/** Each lost attempt means that another key of the organisation was created meanwhile. */
const MOST_TURNS = 50;

/** A new organisation. */
export interface NewOrganisation {
  readonly id: string;
  readonly name: string;
  readonly tier: TierName;
  readonly createdAtMs: number;
}

/** A new key, without the key itself. */
export interface NewKey {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** SHA-256, 64 hexadecimal digits. */
  readonly keyHash: string;
  readonly keyPrefix: string;
  readonly createdAtMs: number;
}

/** Adds an organisation. */
export const createOrganisation = (store: Store, organisation: NewOrganisation): Promise<void> =>
  store.run(async (db) => {
    await db.insert(organisations).values(organisation);
  });

/** Adds a key without checking the organisation's limit. */
export const insertKey = (store: Store, key: NewKey): Promise<void> =>
  store.run(async (db) => {
    await db.insert(apiKeys).values(key);
  });

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
          insert into api_keys (id, org_id, name, key_hash, key_prefix, created_at)
          select ${key.id}, id, ${key.name}, ${key.keyHash}, ${key.keyPrefix}, ${formatInstant(key.createdAtMs)}::text::timestamptz
          from seat returning 1`,
      ),
    );
    if (added.length > 0) return true;
  }
  throw new StoreUnavailableError("too many keys of the organisation are being created at once");
};

/**
 * Revokes a key. An earlier revocation keeps its date; a later end, as in grace, is brought forward.
 * @param key.orgId only when the key belongs to this organisation; operators omit it
 * @returns the key's hash and when it ended; null when there is no such key
 */
export const revokeKey = (
  store: Store,
  key: { readonly id: string; readonly orgId?: string; readonly atMs: number },
): Promise<{ readonly keyHash: string; readonly revokedAtMs: number } | null> =>
  store.run(async (db) => {
    const [row] = await db
      .update(apiKeys)
      .set({ revokedAtMs: sql`least(${apiKeys.revokedAtMs}, ${formatInstant(key.atMs)}::timestamptz)` })
      .where(and(eq(apiKeys.id, key.id), key.orgId === undefined ? undefined : eq(apiKeys.orgId, key.orgId)))
      .returning({ keyHash: apiKeys.keyHash, revokedAtMs: apiKeys.revokedAtMs });
    return row ? { keyHash: row.keyHash, revokedAtMs: row.revokedAtMs ?? key.atMs } : null;
  });

/** When a key was last used. */
export interface KeyUse {
  readonly keyId: string;
  readonly usedAtMs: number;
}

/** Records last uses in a batch; the latest of each key counts, and unknown keys are ignored. */
export const touchKeys = (store: Store, uses: readonly KeyUse[]): Promise<void> =>
  store.run(async (db) => {
    if (uses.length === 0) return;
    // Rows are locked in id order, so that two processes with the same keys do not deadlock.
    await db.execute(sql`
      with uses as (
        select id, max(used_at) as used_at
        from (select
          ${unnest(uses, (use) => use.keyId, "text")} as id,
          ${unnest(uses, (use) => formatInstant(use.usedAtMs), "timestamptz")} as used_at
        ) as use
        group by id
      ), locked as (
        select id from api_keys where id in (select id from uses) order by id for update
      )
      update api_keys set last_used_at = greatest(last_used_at, uses.used_at)
      from locked join uses using (id) where api_keys.id = locked.id`);
  });
