/** DELETE /v1/account/keys/{key_id}: revoke a key at once. */
import type { AssayContract, Verb } from "@assay/contract";
import { revokeKey as endKey } from "@assay/db";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { AnnounceKey } from "./announce-key.ts";
import { requireKey } from "./caller-key.ts";

/** Every id we generate uses these characters; the store rejects some others as text. */
const ID = /^[\x21-\x7e]+$/;

/** Revokes a key of the caller's organisation, without grace. */
export const revokeKey =
  ({ store }: Pick<ServiceDeps, "store">, announce: AnnounceKey): Verb<AssayContract["account"]["revokeKey"], VerbContext> =>
  async ({ key_id: id }, { caller, nowMs, fail }) => {
    const { orgId } = requireKey(caller);
    if (!ID.test(id)) return fail("key_not_found");
    const revoked = await endKey(store, { id, orgId, atMs: nowMs });
    if (!revoked) return fail("key_not_found");
    await announce(revoked.keyHash, revoked.revokedAtMs);
    return undefined;
  };
