import { createPublicKey, verify } from "node:crypto";
import { contract, EXAMPLE_RECEIPT, type MarketMode, pages } from "@assay/contract";
import { describe, expect, test } from "vitest";
import {
  newSigningKeys,
  readSigningKeys,
  receiptSigner,
  rotatedSigningKeys,
  SigningKeyError,
  type SigningKeys,
} from "./receipts.ts";

/** Verifies by Node's own cryptography, which shares nothing with what signs. */
const claimsOf = (token: string, keys: readonly { readonly kid: string; readonly x: string }[]): Record<string, unknown> => {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const { alg, kid, ...rest } = JSON.parse(Buffer.from(head, "base64url").toString()) as { alg: string; kid: string }; // a test's own
  expect([alg, rest]).toEqual(["EdDSA", {}]);
  const x = keys.find((key) => key.kid === kid)?.x ?? "";
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  expect(verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(true);
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
};

const signed = (keys: SigningKeys, body = '{"price":"4003.20"}', mode: MarketMode = "live"): Promise<string> =>
  receiptSigner(
    { current: () => Promise.resolve(keys) },
    () => "https://prices.example.com",
    () => Promise.resolve(mode),
  )({
    route: "GET /v1/spot/{symbol}",
    requestId: "id-1",
    nowMs: 1_795_183_407_999,
    body,
  });

describe("a receipt", () => {
  test("says who gave which answer to which request, and when", async () => {
    const keys = await readSigningKeys(await newSigningKeys());
    expect(claimsOf(await signed(keys), keys.publicKeys)).toEqual({
      iss: "https://prices.example.com",
      iat: 1_795_183_407,
      request_id: "id-1",
      route: "GET /v1/spot/{symbol}",
      body: { price: "4003.20" },
    });
  });

  test("of a made-up price says so", async () => {
    const keys = await readSigningKeys(await newSigningKeys());
    const claims = claimsOf(await signed(keys, "{}", "simulated"), keys.publicKeys);
    expect(claims).toMatchObject({ simulated: true, body: {} });
  });

  test("holds the exact bytes of the answer, not an equivalent text", async () => {
    const keys = await readSigningKeys(await newSigningKeys());
    const body = '{ "price":"4003.20",  "name":"\\u00e9" }';
    const [, claims = ""] = (await signed(keys, body)).split(".");
    expect(Buffer.from(claims, "base64url").toString()).toContain(`"body":${body}}`);
  });

  test("in the documents verifies with the key in the documents", () => {
    const { output, examples } = pages.wellKnown.jwks;
    const claims = claimsOf(EXAMPLE_RECEIPT, output.parse(examples?.["one"]?.value).keys);
    expect(claims["body"]).toEqual(contract.spot.get.examples?.["lean"]?.value);
  });
});

describe("a rotation", () => {
  test("lets a new key sign, and keeps the public half of every one before it", async () => {
    const texts = [await newSigningKeys()];
    for (const _ of [1, 2]) texts.push(await rotatedSigningKeys(texts.at(-1) ?? ""));
    const [first, second, third] = await Promise.all(texts.map(readSigningKeys));
    expect(third?.publicKeys.map(({ kid }) => kid)).toEqual([third?.kid, second?.kid, first?.kid]);
    expect(new Set([first?.kid, second?.kid, third?.kid]).size).toBe(3);
    for (const keys of [first, second, third]) if (keys) claimsOf(await signed(keys), third?.publicKeys ?? []);
  });

  test("leaves one private half in the file, and none among the public keys", async () => {
    const text = await rotatedSigningKeys(await newSigningKeys());
    expect(text.match(/"d"/g)).toHaveLength(1);
    expect(JSON.stringify((await readSigningKeys(text)).publicKeys)).not.toContain('"d"');
  });
});

describe("keys that cannot be used", () => {
  const withPart = async (change: (key: { x: string; d?: string }) => object): Promise<string> => {
    const { keys } = JSON.parse(await newSigningKeys()) as { keys: [{ x: string; d?: string }] }; // as it is stored
    return JSON.stringify({ keys: [change(keys[0])] });
  };
  const other = async (): Promise<string> => (await readSigningKeys(await newSigningKeys())).publicKeys[0]?.x ?? "";

  test.each<[string, () => Promise<string>]>([
    ["no JSON", async () => "secret"],
    ["no set", async () => "[]"],
    ["no keys", async () => '{"keys":[]}'],
    ["another curve", () => withPart((key) => ({ ...key, crv: "X25519" }))],
    ["no private half", () => withPart(({ d: _, ...key }) => key)],
    ["the private half of another key", async () => withPart(((x) => (key: object) => ({ ...key, x }))(await other()))],
    ["a short half", () => withPart((key) => ({ ...key, d: key.d?.slice(1) }))],
  ])("are refused without being shown: %s", async (_, make) => {
    const text = await make();
    const refusal = await readSigningKeys(text).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SigningKeyError);
    const secret = /"d":\s*"([^"]+)"/.exec(text)?.[1] ?? "secret";
    expect(String(refusal)).not.toContain(secret);
  });
});
