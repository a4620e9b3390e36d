/** Changes that are made once per Idempotency-Key: the response is kept, encrypted, for retries. */
import { createCipheriv, createDecipheriv, hash, hkdfSync } from "node:crypto";
import { Encoded, type FailWith } from "@assay/contract";
import { findAnswer, type KeptAnswer, type NewAnswer, type Store } from "@assay/db";
import type { Random } from "@assay/ports";
import { keyState } from "../access/key-lifecycle.ts";
import type { VerbContext } from "../context.ts";
import { requireKey } from "./keys.ts";

const PRINTABLE = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

const refuseHeader = (fail: FailWith<"validation_error">, message: string): never =>
  fail("validation_error", { issues: [{ path: ["header", "Idempotency-Key"], code: "invalid_value", message }] });

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const sealingKey = (apiKey: string, idempotencyKey: string): Buffer =>
  Buffer.from(hkdfSync("sha256", apiKey, idempotencyKey, "assay idempotent answer", 32));

/** The id a retry is recognised by; it reveals nothing about either key. */
export const scopeOf = (keyId: string, idempotencyKey: string): string => hash("sha256", JSON.stringify([keyId, idempotencyKey]));

/** Encrypts an answer stored for a retry, so that only the bearer of both keys reads it: AES-256-GCM; nonce, tag, ciphertext. */
export const seal = (answer: string, apiKey: string, idempotencyKey: string, random: Random): Uint8Array => {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(apiKey, idempotencyKey), nonce);
  const sealed = Buffer.concat([cipher.update(answer, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

/**
 * Decrypts a sealed answer.
 * @throws Error when it was sealed under other keys or was altered
 */
export const unseal = (sealed: Uint8Array, apiKey: string, idempotencyKey: string): string => {
  const decipher = createDecipheriv(ALGORITHM, sealingKey(apiKey, idempotencyKey), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
};

/** A request that may be a retry. */
export interface Retry<T> {
  /** The response, in case this request makes the change. */
  readonly made: Encoded<T>;
  /** What is kept with the change; undefined without an Idempotency-Key. */
  readonly answer: NewAnswer | undefined;
  /** The response that was kept; refuses an Idempotency-Key that was used with another body. */
  replay(kept: KeptAnswer): Encoded<T>;
}

type RetryContext = Pick<VerbContext, "caller" | "idempotencyKey"> & { readonly fail: FailWith<"validation_error"> };

/**
 * Reads the Idempotency-Key of a request.
 * @param request what the request asks for: a retry asks for the same
 * @param output the response, in case this one makes the change
 */
export const retryOf = <T>(
  { caller, idempotencyKey, fail }: RetryContext,
  request: readonly unknown[],
  output: T,
  random: Random,
): Retry<T> => {
  const key = requireKey(caller);
  const answer = JSON.stringify(output);
  if (idempotencyKey !== undefined && !PRINTABLE.test(idempotencyKey))
    return refuseHeader(fail, "must be 1 to 255 printable ASCII characters");
  const bodyDigest = hash("sha256", JSON.stringify(request));
  return {
    made: new Encoded(answer),
    answer:
      idempotencyKey === undefined
        ? undefined
        : {
            scopeHash: scopeOf(key.id, idempotencyKey),
            bodyDigest,
            seal: () => seal(answer, key.plaintext, idempotencyKey, random),
          },
    replay: (kept) => {
      if (kept.bodyDigest !== bodyDigest) return refuseHeader(fail, "was used with another request within the last 24 hours");
      return new Encoded(unseal(kept.sealed, key.plaintext, idempotencyKey ?? ""));
    },
  };
};

/**
 * What a key in grace gets, which changes nothing more: the response to what it changed before, or a refusal.
 * @returns undefined for a key that may make the change
 */
export const graceAnswer = async <T>(
  store: Store,
  { answer, replay }: Retry<T>,
  { caller, nowMs, fail }: Pick<VerbContext, "caller" | "nowMs"> & { readonly fail: FailWith<"key_in_grace"> },
): Promise<Encoded<T> | undefined> => {
  if (keyState(requireKey(caller), nowMs) !== "grace") return undefined;
  const kept = answer && (await findAnswer(store, answer.scopeHash, nowMs));
  return kept ? replay(kept) : fail("key_in_grace");
};
