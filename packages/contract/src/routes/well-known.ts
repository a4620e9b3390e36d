/** What other programs look for at fixed addresses. */
import { z } from "zod";
import { route } from "../route.ts";

const publicKey = z
  .object({
    kty: z.literal("OKP").meta({ description: "The kind of key" }),
    crv: z.literal("Ed25519").meta({ description: "The curve" }),
    x: z.string().meta({ description: "The public key, base64url", examples: ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"] }),
    kid: z.string().meta({ description: "Its name in receipts: the thumbprint of RFC 7638" }),
    alg: z.literal("EdDSA").meta({ description: "The algorithm it verifies" }),
    use: z.literal("sig").meta({ description: "It verifies signatures" }),
  })
  .meta({ id: "ReceiptKey", description: "A public key that verifies receipts, RFC 8037" });

/** GET /.well-known/jwks.json */
export const jwks = route({
  method: "GET",
  path: "/.well-known/jwks.json",
  tag: "Receipts",
  summary: "The keys that verify receipts",
  description:
    "A JWK set with the public key that signs receipts (`format=jws`), and those that signed before it. Keep a copy beside your receipts to verify them without this service.",
  access: { auth: "none", limit: "none", metered: false },
  success: { status: 200, cacheControl: "public, max-age=300" },
  input: z.object({}),
  output: z
    .object({ keys: z.array(publicKey).meta({ description: "The key that signs first" }) })
    .meta({ id: "ReceiptKeys", description: "Public keys that verify receipts, RFC 7517" }),
  errors: [],
  examples: {
    one: {
      summary: "A service whose key was never rotated",
      value: {
        keys: [
          {
            kty: "OKP",
            crv: "Ed25519",
            x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
            alg: "EdDSA",
            use: "sig",
          },
        ],
      },
    },
  },
});
