/** The tier catalog. */
import { z } from "zod";
import { route } from "../route.ts";
import { DEFAULT_CATALOG, TIER_NAMES, tierPublic } from "../tiers.ts";

/** GET /v1/metadata/tiers */
export const listTiers = route({
  method: "GET",
  path: "/v1/metadata/tiers",
  tag: "System",
  summary: "The tier catalog",
  description: "What each tier costs and allows, ordered Free, Basic, Physical, Pro, Realtime Pro.",
  access: { auth: "none", limit: "light", metered: false },
  input: z.object({}),
  output: z.array(tierPublic),
  success: { status: 200, cacheControl: "public, max-age=3600" },
  errors: [],
  formats: { csv: "" },
  examples: {
    catalog: {
      summary: "The catalog as shipped; an operator may change it",
      value: TIER_NAMES.map((name) => DEFAULT_CATALOG.tiers[name]),
    },
  },
});
