/** The keys that verify receipts. */
import type { AssayPages, Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import type { SigningKeyRing } from "../receipts.ts";

/** `GET /.well-known/jwks.json`: lists the public keys. */
export const jwks =
  (keys: SigningKeyRing): Verb<AssayPages["wellKnown"]["jwks"], VerbContext> =>
  async () => ({ keys: [...(await keys.current()).publicKeys] });
