/** Answers stored for a retry, encrypted so that only the bearer of the same key and Idempotency-Key can read them. */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const sealingKey = (apiKey: string, idempotencyKey: string): Buffer =>
  Buffer.from(hkdfSync("sha256", apiKey, idempotencyKey, "assay idempotent answer", 32));

/** The id a retry is recognised by; it reveals nothing about either key. */
export const scopeOf = (keyId: string, idempotencyKey: string): string => hash("sha256", JSON.stringify([keyId, idempotencyKey]));

/** Encrypts an answer with AES-256-GCM: nonce, tag, ciphertext. */
export const seal = (answer: string, apiKey: string, idempotencyKey: string): Uint8Array => {
  const nonce = randomBytes(NONCE_BYTES);
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
