import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ReceiptError, type ReceiptKeys, verifyReceipt } from "./index.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const { x = "" } = publicKey.export({ format: "jwk" });
const jwks: ReceiptKeys = { keys: [{ kty: "OKP", crv: "Ed25519", kid: "one", x }] };
const issuer = "https://prices.example.com";
const CLAIMS = {
  iss: issuer,
  iat: 1_795_183_407,
  request_id: "id-1",
  route: "GET /v1/spot/{symbol}",
  body: { price: "4003.20" },
};

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signed by Node's own cryptography, not by the library of the service. */
const signed = (claims: unknown, header: object = { alg: "EdDSA", kid: "one" }): string => {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString("base64url")}`;
};

test("a genuine receipt gives its content", async () => {
  expect(await verifyReceipt(signed(CLAIMS), { jwks, issuer })).toEqual({
    issuer,
    issuedAt: new Date("2026-11-20T14:03:27Z"),
    requestId: "id-1",
    route: "GET /v1/spot/{symbol}",
    simulated: false,
    validUntil: null,
    body: { price: "4003.20" },
  });
  expect((await verifyReceipt(signed({ ...CLAIMS, simulated: true }), { jwks, issuer })).simulated).toBe(true);
  const held = signed({ ...CLAIMS, body: { valid_until: "2026-11-20T14:13:27Z" } });
  expect((await verifyReceipt(held, { jwks })).validUntil).toEqual(new Date("2026-11-20T14:13:27Z"));
});

test("a receipt of hundreds of pieces is as genuine as a short one", async () => {
  const items = Array.from({ length: 500 }, (_, at) => ({ id: `${at}`.padEnd(64, "x"), total: "1".repeat(200) }));
  expect((await verifyReceipt(signed({ ...CLAIMS, body: { items } }), { jwks })).body).toEqual({ items });
});

describe("refused is", () => {
  const refusal = (token: string, options = { jwks, issuer }) => expect(verifyReceipt(token, options)).rejects;

  test("a receipt of which any bit was changed", async () => {
    const token = signed(CLAIMS);
    for (let at = 0; at < token.length; at += 1) {
      // The last character of a part holds bits that say nothing; two of the alphabet then mean the same.
      const isLast = token[at + 1] === "." || at === token.length - 1;
      if (token[at] === "." || isLast) continue;
      const other = token[at] === "A" ? "B" : "A";
      await refusal(`${token.slice(0, at)}${other}${token.slice(at + 1)}`).toThrow(ReceiptError);
    }
  });

  test.each([
    ["of another key", signed(CLAIMS, { alg: "EdDSA", kid: "two" }), /not in the set/],
    ["without a key's name", signed(CLAIMS, { alg: "EdDSA" }), /not in the set/],
    ["of no algorithm", signed(CLAIMS, { alg: "none", kid: "one" }), /not signed with EdDSA/],
    ["of another algorithm", signed(CLAIMS, { alg: "HS256", kid: "one" }), /not signed with EdDSA/],
    ["with something critical", signed(CLAIMS, { alg: "EdDSA", kid: "one", crit: ["b64"] }), /not signed with EdDSA/],
    ["without a body", signed({ ...CLAIMS, body: null }), /lacks a claim/],
    ["without its issuer", signed({ ...CLAIMS, iss: 1 }), /lacks a claim/],
    ["of a list", signed([]), /lacks a claim|JSON object/],
    ["unsigned", signed(CLAIMS).replace(/\.[^.]*$/, "."), /not a compact JWS/],
    ["that is no receipt", "4003.20", /not a compact JWS/],
    ["that is far too long", `${signed(CLAIMS)}${"A".repeat(1_048_576)}`, /not a compact JWS/],
  ])("one %s", async (_, token, reason) => {
    await refusal(token).toThrow(reason);
  });

  test.each([undefined, null, {}, [], { keys: null }, "keys"])("one without a key set: %j", async (none) => {
    await refusal(signed(CLAIMS), { jwks: none as unknown as ReceiptKeys, issuer }).toThrow(
      new ReceiptError("jwks is not a JWK set"),
    );
  });

  test("one whose key is not usable, or that is no text", async () => {
    for (const key of [null, 5, { ...jwks.keys[0], x: undefined }, { ...jwks.keys[0], x: 5 }])
      await refusal(signed(CLAIMS), { jwks: { keys: [key] } as unknown as ReceiptKeys, issuer }).toThrow(/not in the set/);
    for (const token of [undefined, null, 5, {}]) await refusal(token as unknown as string).toThrow(/not a compact JWS/);
  });

  test("one of another issuer, when an issuer is required", async () => {
    await refusal(signed(CLAIMS), { jwks, issuer: "https://other.example.com" }).toThrow(/another issuer/);
    expect((await verifyReceipt(signed({ ...CLAIMS, iss: "http://x" }), { jwks })).issuer).toBe("http://x");
  });
});
