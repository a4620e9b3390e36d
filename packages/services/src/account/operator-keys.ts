/** Key management for the operator: organisations and keys without a caller. */
import { randomUUID } from "node:crypto";
import { formatTimestamp, type KeyMintResponse, type KeyPublic, MAX_LIVE_KEYS, type TierName } from "@assay/contract";
import { addKey, createOrganisation, findOrganisation, type KeyRecord, listKeys, revokeKey, type Store } from "@assay/db";
import { newKey } from "./new-key.ts";

/** A key as the operator sees it: with its organisation and tier. */
export type OperatorKey = KeyPublic & { readonly org: string; readonly tier: TierName };

/** The organisation exists with another tier; all keys of an organisation share its tier. */
export class TierConflictError extends Error {
  override readonly name = "TierConflictError";
  constructor(org: string, has: TierName) {
    super(`organisation ${JSON.stringify(org)} exists with tier ${has}; its keys have that tier`);
  }
}

/** The organisation has reached the limit on keys, which applies to the operator too. */
export class KeyLimitError extends Error {
  override readonly name = "KeyLimitError";
  constructor(org: string) {
    super(`organisation ${JSON.stringify(org)} has ${MAX_LIVE_KEYS} keys, which is the maximum; revoke one first`);
  }
}

const iso = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(new Date(ms)));

const present = (key: KeyRecord): OperatorKey => ({
  id: key.id,
  key_prefix: key.keyPrefix,
  name: key.name,
  created_at: formatTimestamp(new Date(key.createdAtMs)),
  last_used_at: iso(key.lastUsedAtMs),
  revoked_at: iso(key.revokedAtMs),
  org: key.orgName,
  tier: key.tier,
});

/**
 * Mints a key for an organisation, which is created if it does not exist.
 * @throws TierConflictError when the organisation exists with another tier
 * @throws KeyLimitError when it has reached the limit on keys
 */
export const createKey = async (
  store: Store,
  wanted: { readonly org: string; readonly tier: TierName; readonly name: string },
  nowMs: number,
): Promise<KeyMintResponse> => {
  const known = await findOrganisation(store, wanted.org);
  if (known && known.tier !== wanted.tier) throw new TierConflictError(wanted.org, known.tier);
  const orgId = known?.id ?? randomUUID();
  if (!known) await createOrganisation(store, { id: orgId, name: wanted.org, tier: wanted.tier, createdAtMs: nowMs });
  const { plaintext, row } = newKey(orgId, wanted.name, nowMs);
  if (!(await addKey(store, row, MAX_LIVE_KEYS))) throw new KeyLimitError(wanted.org);
  return {
    id: row.id,
    plaintext,
    key_prefix: row.keyPrefix,
    created_at: formatTimestamp(new Date(nowMs)),
    previous_key_revokes_at: null,
  };
};

/** Every key, newest first, revoked ones included. */
export const listAllKeys = async (store: Store): Promise<OperatorKey[]> => (await listKeys(store)).map(present);

/**
 * Revokes a key of any organisation at once.
 * @returns its hash and end, to announce to the other processes; null when there is no such key
 */
export const revokeAnyKey = (
  store: Store,
  id: string,
  nowMs: number,
): Promise<{ readonly keyHash: string; readonly revokedAtMs: number } | null> => revokeKey(store, { id, atMs: nowMs });
