/** GET /badge/{metal}.svg: the delayed price as a small picture. */
import type { AssayPages, Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import { type ShownPriceDeps, showingPrice } from "../embed/shown-price.ts";
import { badgeSvg } from "./badge-svg.ts";

/** For those who open it directly; as an image it may be shown anywhere. */
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/** Draws the price. */
export const getBadge = (deps: ShownPriceDeps): Verb<AssayPages["badge"]["get"], VerbContext> =>
  showingPrice(deps, (shown) => ({ body: badgeSvg(shown), headers: HEADERS }));
