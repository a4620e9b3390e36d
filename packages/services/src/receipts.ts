/** Receipts: signed copies of answers, so that anyone can verify later what they were, and the keys that sign them. */
import type { MarketMode } from "@assay/contract";
import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
} from "jose";
import { z } from "zod";

/** The algorithm of every receipt, with keys of Ed25519. */
const RECEIPT_ALG = "EdDSA";

const part = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "must be 32 bytes in base64url");

const storedKey = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: part,
  /** The private half; only of the key that signs. */
  d: part.optional(),
});

const storedKeys = z.object({ keys: z.array(storedKey).min(1) });

type StoredKey = z.output<typeof storedKey>;

/** A public key, as anybody may read it. */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  /** Its thumbprint, RFC 7638: the same key has the same name everywhere. */
  readonly kid: string;
  readonly alg: "EdDSA";
  readonly use: "sig";
}

/** The keys of a service: one that signs, and the public halves of those that signed before it. */
export interface SigningKeys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** The key that signs first, then those before it. */
  readonly publicKeys: readonly PublicKey[];
}

/** A set of keys that cannot be used. The message holds nothing of them. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
}

const parsed = (text: string): StoredKey[] => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SigningKeyError("it is not JSON");
  }
  const set = storedKeys.safeParse(json);
  if (!set.success) throw new SigningKeyError("it is not a JWK set of Ed25519 keys");
  const { keys } = set.data;
  if (keys.filter(({ d }) => d !== undefined).length !== 1) throw new SigningKeyError("exactly one of its keys must be private");
  return keys.toSorted((one, other) => Number(other.d !== undefined) - Number(one.d !== undefined));
};

const publicHalf = async ({ kty, crv, x }: StoredKey): Promise<PublicKey> => {
  const kid = await calculateJwkThumbprint({ kty, crv, x });
  return { kty, crv, x, kid, alg: RECEIPT_ALG, use: "sig" };
};

const imported = async ({ kty, crv, x, d }: StoredKey): Promise<CryptoKey> => {
  const made = await importJWK({ kty, crv, x, ...(d === undefined ? {} : { d }) }, RECEIPT_ALG);
  if (made instanceof Uint8Array) throw new SigningKeyError("it is not an Ed25519 key");
  return made;
};

/** Signs and verifies something, since a private half of another key is only noticed then. */
const requirePair = async (privateKey: CryptoKey, key: PublicKey): Promise<void> => {
  const token = await new CompactSign(new Uint8Array(1)).setProtectedHeader({ alg: RECEIPT_ALG }).sign(privateKey);
  await compactVerify(token, await imported(key));
};

/**
 * Reads a stored set.
 * @throws SigningKeyError when it cannot be used
 */
export const readSigningKeys = async (text: string): Promise<SigningKeys> => {
  const keys = parsed(text);
  const [signing] = keys;
  if (!signing) throw new SigningKeyError("it holds no key");
  const publicKeys = await Promise.all(keys.map(publicHalf));
  const [first] = publicKeys;
  if (!first) throw new SigningKeyError("it holds no key");
  try {
    const privateKey = await imported(signing);
    await requirePair(privateKey, first);
    return { kid: first.kid, privateKey, publicKeys };
  } catch {
    throw new SigningKeyError("the halves of its private key do not belong together");
  }
};

const generated = async (): Promise<StoredKey> => {
  const { privateKey } = await generateKeyPair(RECEIPT_ALG, { crv: "Ed25519", extractable: true });
  return storedKey.parse(await exportJWK(privateKey));
};

const written = (keys: readonly StoredKey[]): string => `${JSON.stringify({ keys }, null, 2)}\n`;

/** Makes a set with a new key, as it is stored. */
export const newSigningKeys = async (): Promise<string> => written([await generated()]);

/**
 * Makes the set in which a new key signs. The key that signed before keeps its public half alone: its receipts still verify,
 * and it never signs again.
 * @param text the stored set
 * @throws SigningKeyError when it cannot be used
 */
export const rotatedSigningKeys = async (text: string): Promise<string> => {
  await readSigningKeys(text);
  return written([await generated(), ...parsed(text).map(({ kty, crv, x }) => ({ kty, crv, x }))]);
};

export interface SigningKeyRing {
  /** The keys; made when there are none yet. */
  current(): Promise<SigningKeys>;
}

export interface ReceiptContent {
  /** `GET /v1/spot/{symbol}` */
  readonly route: string;
  readonly requestId: string;
  readonly nowMs: number;
  /** The JSON text of the answer; it stays as it is, byte by byte. */
  readonly body: string;
}

/** Signs a receipt: a compact JWS. */
export type SignReceipt = (content: ReceiptContent) => Promise<string>;

/**
 * Prepares the signing of receipts.
 * @param issuer the public address of the service; called when the first receipt is signed
 * @param mode where its prices come from; a receipt of made-up ones says so
 */
export const receiptSigner =
  (keys: SigningKeyRing, issuer: () => string, mode: () => Promise<MarketMode>): SignReceipt =>
  async ({ route, requestId, nowMs, body }) => {
    const { kid, privateKey } = await keys.current();
    const origin = (await mode()) === "simulated" ? { simulated: true } : {};
    const claims = JSON.stringify({ iss: issuer(), iat: Math.floor(nowMs / 1_000), request_id: requestId, ...origin, route });
    // The body is not parsed and written again: what is signed is what the answer would have been.
    const payload = `${claims.slice(0, -1)},"body":${body}}`;
    return new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader({ alg: RECEIPT_ALG, kid }).sign(privateKey);
  };

const claims = z.object({
  iat: z.number(),
  request_id: z.string(),
  route: z.string(),
  simulated: z.literal(true).optional(),
  body: z.object({ valid_until: z.string().optional() }),
});

const keyNamedIn = (receipt: string, keys: readonly PublicKey[]): PublicKey | undefined => {
  try {
    const { kid } = decodeProtectedHeader(receipt);
    return keys.find((key) => key.kid === kid);
  } catch {
    return undefined; // not a JWS
  }
};

/**
 * Opens a receipt.
 * @returns its claims; `foreign` when it names no key of this service, `altered` when that key did not sign it as it is
 */
export const openReceipt = async (
  receipt: string,
  { publicKeys }: SigningKeys,
): Promise<z.output<typeof claims> | "foreign" | "altered"> => {
  const key = keyNamedIn(receipt, publicKeys);
  if (!key) return "foreign";
  try {
    const { payload } = await compactVerify(receipt, await imported(key), { algorithms: [RECEIPT_ALG] });
    return claims.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch {
    return "altered";
  }
};
