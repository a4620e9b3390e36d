/** API keys: made, shown, and announced to every process. */
import { formatOptionalTimestamp, formatTimestamp, type KeyMintResponse, type KeyPublic } from "@assay/contract";
import type { KeyRecord, NewKey } from "@assay/db";
import type { Random } from "@assay/ports";
import { generateKey, hashKey, KEY_PREFIX_LENGTH } from "../access/api-key.ts";
import type { Authenticator } from "../access/authenticate.ts";
import type { Caller, CallerKey, ServiceDeps } from "../context.ts";

/**
 * The calling key.
 * @throws Error without a key: the pipeline refuses such a caller before these verbs
 */
export const requireKey = (caller: Caller): CallerKey => {
  if (!caller.key) throw new Error("a verb that needs a key was called without one");
  return caller.key;
};

/** A new key: its plaintext, returned once, and what is stored of it. */
export interface MadeKey {
  readonly plaintext: string;
  readonly row: NewKey;
}

/** Creates a key for an organisation; the plaintext is not stored. */
export const newKey = (wanted: Pick<NewKey, "orgId" | "name" | "expiresAtMs">, nowMs: number, random: Random): MadeKey => {
  const plaintext = generateKey(random);
  const keyPrefix = plaintext.slice(0, KEY_PREFIX_LENGTH);
  return { plaintext, row: { id: random.uuid(), ...wanted, keyHash: hashKey(plaintext), keyPrefix, createdAtMs: nowMs } };
};

const expiry = ({ expiresAtMs }: Pick<NewKey, "expiresAtMs">): Pick<KeyPublic, "expires_at"> =>
  expiresAtMs === null ? {} : { expires_at: formatTimestamp(expiresAtMs) };

/**
 * The one answer that holds a key's plaintext.
 * @param previousEndMs when the key it replaces ends; null when it replaces none
 */
export const mintedKey = ({ plaintext, row }: MadeKey, previousEndMs: number | null): KeyMintResponse => ({
  id: row.id,
  plaintext,
  key_prefix: row.keyPrefix,
  created_at: formatTimestamp(row.createdAtMs),
  previous_key_revokes_at: formatOptionalTimestamp(previousEndMs),
  ...expiry(row),
});

export const listedKey = (key: Omit<KeyRecord, "keyHash">): KeyPublic => ({
  id: key.id,
  key_prefix: key.keyPrefix,
  name: key.name,
  created_at: formatTimestamp(key.createdAtMs),
  last_used_at: formatOptionalTimestamp(key.lastUsedAtMs),
  revoked_at: formatOptionalTimestamp(key.revokedAtMs),
  ...expiry(key),
});

/** Announces a key and its end; null for a new key, which has none. */
export type AnnounceKey = (keyHash: string, revokedAtMs: number | null) => Promise<void>;

/**
 * Creates the announcer of minted and revoked keys. When the bus is unavailable the other processes learn of the key from the
 * store within seconds.
 * @param authenticator this process's verified keys
 */
export const keyAnnouncer =
  ({ live, log }: Pick<ServiceDeps, "live" | "log">, authenticator: Authenticator): AnnounceKey =>
  async (keyHash, revokedAtMs) => {
    authenticator.keyChanged(keyHash, revokedAtMs);
    try {
      await live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.info({ reason }, "failed to announce a changed key; the other processes read it from the database within seconds");
    }
  };
