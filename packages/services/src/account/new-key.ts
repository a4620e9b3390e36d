/** A new key: its plaintext, returned once, and what is stored of it. */
import { randomUUID } from "node:crypto";
import type { NewKey } from "@assay/db";
import { generateKey, hashKey, KEY_PREFIX_LENGTH } from "../access/api-key.ts";

/** Creates a key for an organisation; the plaintext is not stored. */
export const newKey = (orgId: string, name: string, nowMs: number): { readonly plaintext: string; readonly row: NewKey } => {
  const plaintext = generateKey();
  return {
    plaintext,
    row: {
      id: randomUUID(),
      orgId,
      name,
      keyHash: hashKey(plaintext),
      keyPrefix: plaintext.slice(0, KEY_PREFIX_LENGTH),
      createdAtMs: nowMs,
    },
  };
};
