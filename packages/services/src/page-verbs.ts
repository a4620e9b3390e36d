/** The verbs of the routes outside `/v1`. A route without a verb does not compile. */
import type { AssayPages, Verbs } from "@assay/contract";
import { getBadge } from "./badge/get.ts";
import { frontDocument } from "./console/front-document.ts";
import type { ServiceDeps, VerbContext } from "./context.ts";
import { getEmbed } from "./embed/get.ts";
import type { SigningKeyRing } from "./receipts/sign-receipt.ts";
import { jwks } from "./well-known/jwks.ts";

/** What they need besides the engines. */
export interface PageParts {
  /** Origins whose pages may frame the embedded one. */
  readonly embedOrigins: readonly string[];
  /** The keys that sign receipts. */
  readonly signingKeys: SigningKeyRing;
}

/** Creates the verbs over their engines. */
export const createPageVerbs = (deps: ServiceDeps, { embedOrigins, signingKeys }: PageParts): Verbs<AssayPages, VerbContext> => ({
  console: { frontDocument: frontDocument(deps) },
  badge: { get: getBadge(deps) },
  embed: { get: getEmbed(deps, embedOrigins) },
  wellKnown: { jwks: jwks(signingKeys) },
});
