/** A price as a small picture, and the parameters it shares with the embedded page. */
import { z } from "zod";
import { route } from "../route.ts";
import { CURRENCIES, known, SPOT_NAMES } from "../values.ts";

/** What a shown price is of. */
export const shownPrice = z.object({
  metal: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "A metal's name, or any symbol of the price routes", examples: ["gold"], ...known(SPOT_NAMES) }),
  currency: z
    .string()
    .min(1)
    .max(16)
    .meta({ description: "One of the 31 currencies; by default the symbol's own", examples: ["EUR"], ...known(CURRENCIES) })
    .optional(),
});

/** GET /badge/{metal}.svg */
export const getBadge = route({
  method: "GET",
  path: "/badge/{metal}.svg",
  tag: "Console",
  summary: "A price as a badge",
  description:
    'A small picture with the delayed price, for a README or a page: `<img src=".../badge/gold.svg?currency=EUR">`. It says how late it is, and whether the price is stale or simulated; without a price it says so. Metals as on `/v1/spot` without a key.',
  access: { auth: "none", limit: "none", metered: false },
  success: { status: 200, mediaType: "image/svg+xml", cacheControl: "public, max-age=60", isValidated: true },
  input: shownPrice,
  output: z.string().meta({ description: "An SVG document" }),
  errors: ["not_found", "plan_gated", "unsupported_currency"],
  examples: {
    gold: {
      summary: "Gold in euros",
      value:
        '<svg xmlns="http://www.w3.org/2000/svg" width="216" height="20" role="img" aria-label="gold, 15 min late: 3459.29 EUR/oz">…</svg>',
    },
  },
});
