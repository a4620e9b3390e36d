/** Receipts of the mocked service, signed with a key made for it, which its `/.well-known/jwks.json` publishes. */
import type { ReceiptKeys } from "../receipts/index.ts";

const ALGORITHM = { name: "Ed25519" };
const KID = "mock";

const generate = async () => {
  const made = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  if (!("publicKey" in made)) throw new Error("Ed25519 keys come in pairs");
  return made;
};

let pair: ReturnType<typeof generate> | undefined;

const keyPair = () => {
  pair ??= generate();
  return pair;
};

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const part = (value: unknown): string => encoded(new TextEncoder().encode(JSON.stringify(value)));

/** The key set. */
export const mockKeys = async (): Promise<ReceiptKeys> => {
  const { x = "" } = await crypto.subtle.exportKey("jwk", (await keyPair()).publicKey);
  return { keys: [{ kty: "OKP", crv: "Ed25519", x, kid: KID }] };
};

/** What a receipt says besides the answer. */
interface Asked {
  readonly issuer: string;
  readonly requestId: string;
  readonly route: string;
}

/** Signs an answer. */
export const mockReceipt = async (body: unknown, { issuer, requestId, route }: Asked): Promise<string> => {
  const claims = { iss: issuer, iat: Math.floor(Date.now() / 1_000), request_id: requestId, route, body };
  const text = `${part({ alg: "EdDSA", kid: KID })}.${part(claims)}`;
  const signature = await crypto.subtle.sign(ALGORITHM, (await keyPair()).privateKey, new TextEncoder().encode(text));
  return `${text}.${encoded(new Uint8Array(signature))}`;
};
