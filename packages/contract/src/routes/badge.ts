/** A price as a small picture, and the parameters it shares with the embedded page. */
import { z } from "zod";
import { hints, MOMENT_NAMES } from "../hints.ts";
import { route } from "../route.ts";
import { CURRENCIES, known, SPOT_NAMES, UNITS } from "../values.ts";
import { CURRENCY_COUNT, PRICE_UNIT_RULE } from "../wording.ts";

export const SHOWN_LANGUAGES = ["en", "de", "hi", "ar", "tr", "zh"] as const;
export const SHOWN_THEMES = ["light", "dark"] as const;

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
    .meta({ description: `One of the ${CURRENCY_COUNT}; by default the symbol's own`, examples: ["EUR"], ...known(CURRENCIES) })
    .optional(),
  unit: z
    .enum(UNITS)
    .meta({ description: `Unit of weight; by default ${PRICE_UNIT_RULE}`, examples: ["gram"] })
    .optional(),
  karat: z
    .int()
    .min(1)
    .max(24)
    .meta({ description: "Purity in parts of 24, gold only; pure metal by default", examples: [22] })
    .optional(),
  theme: z.enum(SHOWN_THEMES).meta({ description: "Its colours; by default those of the page, a badge's are dark" }).optional(),
  lang: z
    .enum(SHOWN_LANGUAGES)
    .meta({
      description:
        "Language of its words, digits and separators, with the currency's sign; by default English, with the price as published",
    })
    .optional(),
});

/** What a shown price cannot be asked for. */
export const SHOWN_HINTS = {
  ...hints(["weight", "weightunit", "units"], "the parameter is unit"),
  ...hints(["carat", "purity"], "purity is karat, in parts of 24"),
  ...hints(["language", "locale"], "the parameter is lang"),
  ...hints(["colour", "color", "mode", "scheme"], "the parameter is theme"),
  ...hints(MOMENT_NAMES, "the price shown is the current one"),
};

/** GET /badge/{metal}.svg */
export const getBadge = route({
  method: "GET",
  path: "/badge/{metal}.svg",
  tag: "Console",
  summary: "A price as a badge",
  description:
    'A small picture with the price that callers without a key see, for a README or a page: `<img src=".../badge/gold.svg?currency=EUR">`. It says how late it is, and whether the price is stale or simulated; without a price it says so. In another weight, purity, language or colour as asked. Metals as on `/v1/spot` without a key.',
  access: { auth: "none", limit: "light", metered: false },
  success: { status: 200, mediaType: "image/svg+xml", cacheControl: "public, max-age=60", isValidated: true },
  input: shownPrice,
  hints: SHOWN_HINTS,
  output: z.string().meta({ description: "An SVG document" }),
  errors: ["not_found", "plan_gated", "unsupported_currency", "validation_error"],
  examples: {
    gold: {
      summary: "Gold in euros",
      value:
        '<svg xmlns="http://www.w3.org/2000/svg" width="216" height="20" role="img" aria-label="gold, 15 min late: 3459.29 EUR/oz">…</svg>',
    },
  },
});

/** GET /badge/sources.svg */
export const sourcesBadge = route({
  method: "GET",
  path: "/badge/sources.svg",
  tag: "Console",
  summary: "The sources' availability as a badge",
  description:
    "A small picture with how many sources there are and how available they were in the last 24 hours, as `/v1/sources` has it: the share of all expected slots that were met. It says whether the sources are simulated or replayed; before anything is counted it says so.",
  access: { auth: "none", limit: "light", metered: false },
  success: { status: 200, mediaType: "image/svg+xml", cacheControl: "public, max-age=60", isValidated: true },
  input: z.object({}),
  output: z.string().meta({ description: "An SVG document" }),
  errors: ["service_unavailable"],
  examples: {
    day: {
      summary: "Five sources",
      value:
        '<svg xmlns="http://www.w3.org/2000/svg" width="176" height="20" role="img" aria-label="5 sources, 24 h: 99.87 % available">…</svg>',
    },
  },
});
