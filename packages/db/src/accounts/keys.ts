/** API keys: finding, listing and revoking them, and when they were last used. */
import type { TierName } from "@assay/contract";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { apiKeys, organisations } from "../schema/accounts.ts";
import { formatInstant } from "../schema/columns.ts";
import { instantOf, unnest } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

export interface KeyRecord {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly tier: TierName;
  readonly name: string;
  /** SHA-256, 64 hexadecimal digits. */
  readonly keyHash: string;
  readonly keyPrefix: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** When it was or will be revoked; in the future during grace. */
  readonly revokedAtMs: number | null;
  /** When it ends by itself; null for never. */
  readonly expiresAtMs: number | null;
  /** Since when the operator has its organisation suspended; null while its keys work. */
  readonly suspendedAtMs: number | null;
}

const columns = {
  id: apiKeys.id,
  orgId: apiKeys.orgId,
  orgName: organisations.name,
  tier: organisations.tier,
  name: apiKeys.name,
  keyHash: apiKeys.keyHash,
  keyPrefix: apiKeys.keyPrefix,
  createdAtMs: apiKeys.createdAtMs,
  lastUsedAtMs: apiKeys.lastUsedAtMs,
  revokedAtMs: apiKeys.revokedAtMs,
  expiresAtMs: apiKeys.expiresAtMs,
  suspendedAtMs: organisations.suspendedAtMs,
};

/** When a key of `api_keys` stops authenticating: the second that is shown. Null for never, which `least` ignores. */
const END = sql`date_trunc('second', least(revoked_at, expires_at))`;

/** Whether a key of `api_keys` authenticates at an instant. */
export const isLiveAt = (atMs: number): SQL => sql`coalesce(${END} > ${instantOf(atMs)}, true)`;

/** Finds a key by its hash, revoked or not: the caller decides by its clock whether it still authenticates. */
export const findKeyByHash = (store: Store, keyHash: string): Promise<KeyRecord | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select(columns)
      .from(apiKeys)
      .innerJoin(organisations, eq(organisations.id, apiKeys.orgId))
      .where(eq(apiKeys.keyHash, keyHash));
    return row ?? null;
  });

export interface KeyFilter {
  /** Only this organisation's keys; defaults to all. */
  readonly orgId?: string;
  /** Only keys that authenticate at this instant, including those in grace; defaults to all. */
  readonly liveAtMs?: number;
}

/** Lists keys, newest first. */
export const listKeys = (store: Store, filter: KeyFilter = {}): Promise<KeyRecord[]> =>
  store.run((db) =>
    db
      .select(columns)
      .from(apiKeys)
      .innerJoin(organisations, eq(organisations.id, apiKeys.orgId))
      .where(
        and(
          filter.orgId === undefined ? undefined : eq(apiKeys.orgId, filter.orgId),
          filter.liveAtMs === undefined ? undefined : isLiveAt(filter.liveAtMs),
        ),
      )
      .orderBy(desc(apiKeys.createdAtMs), desc(apiKeys.id)),
  );

/**
 * Hashes of the keys that authenticate at an instant, most recently used first.
 * @param limit maximum number of hashes
 */
export const readLiveKeyHashes = (store: Store, liveAtMs: number, limit: number): Promise<string[]> =>
  store.run(async (db) => {
    const rows = await db
      .select({ keyHash: apiKeys.keyHash })
      .from(apiKeys)
      .where(isLiveAt(liveAtMs))
      .orderBy(sql`${apiKeys.lastUsedAtMs} desc nulls last`)
      .limit(limit);
    return rows.map(({ keyHash }) => keyHash);
  });

/** What may have changed of a key that is in use. */
export interface KeyStanding {
  /** When it stops or stopped authenticating: revoked, expired or suspended; null for never. */
  readonly endMs: number | null;
  readonly tier: TierName;
}

/**
 * The ends and tiers of keys.
 * @param hashes of any number of keys
 * @returns by hash; unknown keys are omitted
 */
export const readKeyStandings = (store: Store, hashes: readonly string[]): Promise<Map<string, KeyStanding>> =>
  store.run(async (db) => {
    const rows = await rowsOf<KeyStanding & { hash: string }>(
      db,
      sql`
        select key_hash as hash, tier, (extract(epoch from least(${END}, suspended_at)) * 1000)::float8 as "endMs"
        from api_keys join organisations on organisations.id = org_id
        where key_hash in (select json_array_elements_text(${JSON.stringify(hashes)}::text::json))`,
    );
    return new Map(rows.map(({ hash, endMs, tier }) => [hash, { endMs, tier }]));
  });

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

/**
 * Notes as revoked the keys that ended by themselves: a process of a release that knows no such end refuses them then as well, also one
 * that the operator returns to.
 */
export const endKeys = (store: Store, atMs: number): Promise<void> =>
  store.run(async (db) => {
    await db.execute(sql`
      update api_keys set revoked_at = expires_at
      where expires_at <= ${instantOf(atMs)} and coalesce(revoked_at > expires_at, true)`);
  });

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
