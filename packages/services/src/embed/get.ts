/** GET /embed/{metal}: the delayed price as a page for a frame. */
import type { AssayPages, Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import { embedPage, embedPolicy } from "./embed-page.ts";
import { type ShownPriceDeps, showingPrice } from "./shown-price.ts";

/**
 * Writes the page.
 * @param origins whose pages may frame it
 */
export const getEmbed = (deps: ShownPriceDeps, origins: readonly string[]): Verb<AssayPages["embed"]["get"], VerbContext> => {
  const headers = {
    "Content-Security-Policy": embedPolicy(origins),
    "Referrer-Policy": "no-referrer",
    // Browsers that know frame-ancestors ignore it, and the others know no list.
    ...(origins.length === 0 ? { "X-Frame-Options": "DENY" } : {}),
  };
  return showingPrice(deps, (shown) => ({ body: embedPage(shown), headers }));
};
