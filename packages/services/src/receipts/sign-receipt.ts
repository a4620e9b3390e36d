/** Receipts: a signed copy of an answer, so that anyone can verify later what it was. */
import { CompactSign } from "jose";
import { RECEIPT_ALG, type SigningKeys } from "./signing-keys.ts";

/** Where the keys of the moment come from. */
export interface SigningKeyRing {
  /** The keys; made when there are none yet. */
  current(): Promise<SigningKeys>;
}

/** What a receipt says. */
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
 */
export const receiptSigner =
  (keys: SigningKeyRing, issuer: () => string): SignReceipt =>
  async ({ route, requestId, nowMs, body }) => {
    const { kid, privateKey } = await keys.current();
    const claims = JSON.stringify({ iss: issuer(), iat: Math.floor(nowMs / 1_000), request_id: requestId, route });
    // The body is not parsed and written again: what is signed is what the answer would have been.
    const payload = `${claims.slice(0, -1)},"body":${body}}`;
    return new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader({ alg: RECEIPT_ALG, kid }).sign(privateKey);
  };
