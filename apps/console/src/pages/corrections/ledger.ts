/** The ledger as the page reads it: its head as a receipt that is verified here, and its rows, which are checked against their digests. */
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import type { Wire } from "@assay/sdk/trpc";
import { type Answer, api, useQuestion } from "../../data/answers.ts";
import { key, session } from "../../data/key.ts";
import { decodePart, readText } from "../../data/plain.ts";
import { type Chain, canCheck, checkChain } from "./chain.ts";

/** The head, and whether its signature is one of this service. */
export interface SignedHead {
  readonly jws: string;
  readonly head: Wire.ChainHead;
  readonly keyId: string;
  readonly issuedAt: string;
  readonly state: "genuine" | "false" | "unverified";
}

const HEAD = "v1/corrections/head?format=jws";
const KEYS = ".well-known/jwks.json";

/** Without the browser's cryptography, or its Ed25519, nothing is said about the signature. */
const stateOf = async (jws: string, jwks: ReceiptKeys): Promise<SignedHead["state"]> => {
  if (!canCheck()) return "unverified";
  try {
    await verifyReceipt(jws, { jwks });
    return "genuine";
  } catch (error) {
    return error instanceof DOMException ? "unverified" : "false";
  }
};

const readHead = async (): Promise<SignedHead> => {
  const [jws, keys] = await Promise.all([readText(HEAD), readText(KEYS)]);
  const [header = "", claims = ""] = jws.split(".");
  const { kid } = decodePart(header) as { readonly kid: string }; // as the guide of receipts has them
  const { iat, body } = decodePart(claims) as { readonly iat: number; readonly body: Wire.ChainHead };
  const jwks = JSON.parse(keys) as ReceiptKeys; // the contract's own shape
  const issuedAt = new Date(iat * 1_000).toISOString();
  return { jws, head: body, keyId: kid, issuedAt, state: await stateOf(jws, jwks) };
};

/** Without a key each is one of ten calls a minute, so they are not read again by themselves. */
const pace = (everySeconds: number) => ({ everySeconds: key.value === null ? null : everySeconds });

export const useHead = (): Answer<SignedHead> => useQuestion([session.value, "ledger-head"], readHead, pace(60));

/** Numbers on one page of the ledger. */
export const ON_A_PAGE = 200;

export interface LedgerPage {
  /** Newest first. */
  readonly rows: readonly Wire.Correction[];
  /** Null where the browser cannot check. */
  readonly chain: Chain | null;
}

/**
 * Follows a page of the ledger.
 * @param head the signed head
 * @param last the highest number of the page
 */
export const useLedger = (head: Wire.ChainHead, last: number): Answer<LedgerPage> =>
  useQuestion([session.value, "ledger", head.digest, last], async (signal) => {
    const since = Math.max(0, last - ON_A_PAGE);
    const { corrections } = await api.value.corrections.list.query({ since, limit: ON_A_PAGE }, { signal });
    const rows = corrections.filter(({ number }) => number <= last);
    return { rows: rows.toReversed(), chain: canCheck() ? await checkChain(rows, head) : null };
  });
