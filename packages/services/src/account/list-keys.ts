/** GET /v1/account/keys: the organisation's keys that still authenticate. */
import { type AssayContract, formatTimestamp, type Verb } from "@assay/contract";
import { listKeys as readKeys } from "@assay/db";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { requireKey } from "./caller-key.ts";

const iso = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(new Date(ms)));

/** Lists active keys and keys in grace, newest first. */
export const listKeys =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["account"]["listKeys"], VerbContext> =>
  async (_input, { caller, nowMs }) => {
    const { orgId } = requireKey(caller);
    const keys = await readKeys(store, { orgId, liveAtMs: nowMs });
    return keys.map((key) => ({
      id: key.id,
      key_prefix: key.keyPrefix,
      name: key.name,
      created_at: formatTimestamp(new Date(key.createdAtMs)),
      last_used_at: iso(key.lastUsedAtMs),
      revoked_at: iso(key.revokedAtMs),
    }));
  };
