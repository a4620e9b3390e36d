/** POST /v1/account/keys: rotate the calling key, once per Idempotency-Key. */
import { hash } from "node:crypto";
import {
  type AssayContract,
  Encoded,
  type FailWith,
  formatTimestamp,
  type KeyMintResponse,
  MAX_LIVE_KEYS,
  type Verb,
} from "@assay/contract";
import { rotateKey } from "@assay/db";
import { GRACE_MS } from "../access/key-lifecycle.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { AnnounceKey } from "./announce-key.ts";
import { requireKey } from "./caller-key.ts";
import { newKey } from "./new-key.ts";
import { scopeOf, seal, unseal } from "./sealed-answer.ts";

const PRINTABLE = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

const refuseHeader = (fail: FailWith<"validation_error">, message: string): never =>
  fail("validation_error", { issues: [{ path: ["header", "Idempotency-Key"], code: "invalid_value", message }] });

/** Mints a new key and puts the calling one in grace; a retry under the same Idempotency-Key gets an identical answer. */
export const mintKey =
  ({ store }: Pick<ServiceDeps, "store">, announce: AnnounceKey): Verb<AssayContract["account"]["mintKey"], VerbContext> =>
  async ({ name }, { caller, nowMs, idempotencyKey, fail }) => {
    const key = requireKey(caller);
    if (idempotencyKey !== undefined && !PRINTABLE.test(idempotencyKey)) {
      return refuseHeader(fail, "must be 1 to 255 printable ASCII characters");
    }
    const { plaintext, row } = newKey(key.orgId, name ?? "default", nowMs);
    const answer = (previousKeyRevokesAtMs: number): string => {
      const response: KeyMintResponse = {
        id: row.id,
        plaintext,
        key_prefix: row.keyPrefix,
        created_at: formatTimestamp(new Date(nowMs)),
        previous_key_revokes_at: formatTimestamp(new Date(previousKeyRevokesAtMs)),
      };
      return JSON.stringify(response);
    };
    const bodyDigest = hash("sha256", JSON.stringify([name ?? null]));
    const result = await rotateKey(store, {
      callerKeyId: key.id,
      newKey: row,
      graceUntilMs: nowMs + GRACE_MS,
      mostKeys: MAX_LIVE_KEYS,
      ...(idempotencyKey === undefined
        ? {}
        : {
            idempotency: {
              scopeHash: scopeOf(key.id, idempotencyKey),
              bodyDigest,
              seal: (revokesAtMs: number) => seal(answer(revokesAtMs), key.plaintext, idempotencyKey),
            },
          }),
    });
    if (result.kind === "limit_reached") return fail("key_limit_reached");
    if (result.kind === "caller_revoked") return fail("invalid_api_key");
    if (result.kind === "replayed") {
      if (result.answer.bodyDigest !== bodyDigest)
        return refuseHeader(fail, "was used with another body within the last 24 hours");
      return new Encoded(unseal(result.answer.sealed, key.plaintext, idempotencyKey ?? ""));
    }
    await Promise.all([announce(row.keyHash, null), announce(key.hash, result.previousKeyRevokesAtMs)]);
    return new Encoded(answer(result.previousKeyRevokesAtMs));
  };
