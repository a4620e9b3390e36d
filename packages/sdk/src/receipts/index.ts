/** `@assay/sdk/receipts`: verifies the receipts of a service, offline and without the rest of the SDK. */
import { isRecord } from "../core/is-record.ts";

/** A public key that verifies receipts, as `/.well-known/jwks.json` lists it. */
export interface ReceiptKey {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
  readonly kid?: string;
}

/** The keys of a service: a JWK set. Keep a copy beside the receipts. */
export interface ReceiptKeys {
  readonly keys: readonly ReceiptKey[];
}

/** How a receipt is verified. */
export interface VerifyReceiptOptions {
  /** The keys of the service. */
  readonly jwks: ReceiptKeys;
  /** The public address the receipt has to be from; without it any service whose key is in the set is accepted. */
  readonly issuer?: string | undefined;
}

/** The contents of a genuine receipt. */
export interface Receipt {
  /** The public address of the service. */
  readonly issuer: string;
  /** When it was issued, to the second. */
  readonly issuedAt: Date;
  /** The id of the request. */
  readonly requestId: string;
  /** The route that was called: `GET /v1/spot/{symbol}`. */
  readonly route: string;
  /** Whether the prices were made up, as those of the simulated market are. */
  readonly simulated: boolean;
  /** Until when the prices of a quote are held; null when they never were. */
  readonly validUntil: Date | null;
  /** The JSON response, with the wire's field names; amounts are decimal text. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receipt that is not genuine, or not readable. */
export class ReceiptError extends Error {
  override readonly name = "ReceiptError";
}

/** Far above any receipt: that of 500 pieces has some 120,000. */
const MAX_CHARACTERS = 1_048_576;
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

const bytesOf = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

const fieldsOf = (part: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(part)));
    if (isRecord(value)) return value;
  } catch {
    // Refused below, as any other text that is no object.
  }
  throw new ReceiptError("the receipt is not a compact JWS of a JSON object");
};

/** The keys come from a file or a response, so their type is only a claim. */
const keysIn = (jwks: unknown): readonly Readonly<Record<string, unknown>>[] => {
  if (isRecord(jwks) && Array.isArray(jwks["keys"])) return jwks["keys"].filter(isRecord);
  throw new ReceiptError("jwks is not a JWK set");
};

const keyOf = (header: Readonly<Record<string, unknown>>, jwks: unknown): string => {
  // The algorithm is ours, never the token's choice; what is critical to others is not understood here.
  if (header["alg"] !== "EdDSA" || "crit" in header) throw new ReceiptError("the receipt is not signed with EdDSA");
  const key = keysIn(jwks).find(
    ({ kid, kty, crv }) => kid !== undefined && kid === header["kid"] && kty === "OKP" && crv === "Ed25519",
  );
  if (typeof key?.["x"] !== "string") throw new ReceiptError("the receipt is signed with a key that is not in the set");
  return key["x"];
};

const receiptIn = (claims: Readonly<Record<string, unknown>>): Receipt => {
  const { iss, iat, request_id: requestId, route, simulated, body } = claims;
  const isComplete = typeof iss === "string" && typeof iat === "number" && typeof requestId === "string";
  if (!isComplete || typeof route !== "string" || !isRecord(body)) throw new ReceiptError("the receipt lacks a claim");
  const { valid_until: until } = body;
  const validUntil = typeof until === "string" ? new Date(until) : null;
  return { issuer: iss, issuedAt: new Date(iat * 1_000), requestId, route, simulated: simulated === true, validUntil, body };
};

/**
 * Verifies a receipt with Web Crypto; nothing is requested from the service.
 * @param token the answer of `format=jws`
 * @returns what it says
 * @throws ReceiptError when it was changed, is signed with another key, or is from another issuer; also when it is not a receipt,
 *   or `jwks` is not a key set
 */
export const verifyReceipt = async (token: string, { jwks, issuer }: VerifyReceiptOptions): Promise<Receipt> => {
  const isText = typeof token === "string" && token.length <= MAX_CHARACTERS;
  const [, head = "", claims = "", signature = ""] = isText ? (COMPACT.exec(token.trim()) ?? []) : [];
  if (head === "") throw new ReceiptError("the receipt is not a compact JWS of a JSON object");
  const x = keyOf(fieldsOf(head), jwks);
  const jwk = { kty: "OKP", crv: "Ed25519", x };
  const key = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${claims}`);
  const isGenuine = await crypto.subtle.verify({ name: "Ed25519" }, key, bytesOf(signature), signed);
  if (!isGenuine) throw new ReceiptError("the receipt was changed after it was signed");
  const receipt = receiptIn(fieldsOf(claims));
  if (issuer !== undefined && receipt.issuer !== issuer) throw new ReceiptError("the receipt is from another issuer");
  return receipt;
};
