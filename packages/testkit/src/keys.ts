/** Creates organisations and keys in a store, for tests. */
import { randomUUID } from "node:crypto";
import type { TierName } from "@assay/contract";
import { createOrganisation, insertKey, type Store } from "@assay/db";
import { newKey } from "@assay/services";

/** A key used by a test. */
export interface TestKey {
  /** The plaintext key. */
  readonly key: string;
  readonly keyId: string;
  readonly keyHash: string;
  readonly orgId: string;
  readonly tier: TierName;
}

/**
 * Mints a key into the store.
 * @param options.org another key of the organisation it should belong to; a new organisation by default
 */
export const makeKey = async (
  store: Store,
  options: { readonly tier: TierName; readonly nowMs: number; readonly org?: TestKey; readonly name?: string },
): Promise<TestKey> => {
  const orgId = options.org?.orgId ?? `org-${randomUUID()}`;
  const tier = options.org?.tier ?? options.tier;
  if (!options.org) await createOrganisation(store, { id: orgId, name: "Test", tier, createdAtMs: options.nowMs });
  const { plaintext, row } = newKey(orgId, options.name ?? "default", options.nowMs);
  await insertKey(store, row);
  return { key: plaintext, keyId: row.id, keyHash: row.keyHash, orgId, tier };
};
