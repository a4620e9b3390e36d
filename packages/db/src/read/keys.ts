/** API keys and their organisations. */
import type { TierName } from "@assay/contract";
import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { apiKeys } from "../schema/api-keys.ts";
import { organisations } from "../schema/organisations.ts";
import { rowsOf, type Store } from "../store.ts";

/** A stored key with its organisation. */
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
  /** When it stops or stopped authenticating; in the future during grace. */
  readonly revokedAtMs: number | null;
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
};

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

/** Which keys to list. */
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
          filter.liveAtMs === undefined ? undefined : or(isNull(apiKeys.revokedAtMs), gt(apiKeys.revokedAtMs, filter.liveAtMs)),
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
      .where(or(isNull(apiKeys.revokedAtMs), gt(apiKeys.revokedAtMs, liveAtMs)))
      .orderBy(sql`${apiKeys.lastUsedAtMs} desc nulls last`)
      .limit(limit);
    return rows.map(({ keyHash }) => keyHash);
  });

/**
 * When keys stop or stopped authenticating.
 * @param hashes of any number of keys
 * @returns by hash, null for never; unknown keys are omitted
 */
export const readKeyEnds = (store: Store, hashes: readonly string[]): Promise<Map<string, number | null>> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ hash: string; ends: number | null }>(
      db,
      sql`
        select key_hash as hash, (extract(epoch from revoked_at) * 1000)::float8 as ends from api_keys
        where key_hash in (select json_array_elements_text(${JSON.stringify(hashes)}::text::json))`,
    );
    return new Map(rows.map((row) => [row.hash, row.ends]));
  });
