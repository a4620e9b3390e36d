/** Karat prices: gold per gram by purity. */
import { z } from "zod";
import { CONVERSION_HINTS, hints, UNIT_NAMES } from "../hints.ts";
import { priceParts } from "../price-parts.ts";
import { route } from "../route.ts";
import { CURRENCIES, decimal, EXAMPLE_MOMENT, includeSources, KARATS, known, staleReason, timestamp } from "../values.ts";
import { CURRENCY_COUNT } from "../wording.ts";

const gram = (karat: number, example: string) => decimal(`Price per gram of ${karat} karat gold, in the currency`, example);

/** GET /v1/carat */
export const getCarat = route({
  method: "GET",
  path: "/v1/carat",
  tag: "Conversion",
  summary: "Gold per gram by karat",
  description:
    "USD spot per troy ounce / 31.1034768 × the currency's rate, times karat / 24; 4 decimals. Spot-based: no premium, tax or making charge.",
  access: { auth: "optional" },
  input: z.object({
    currency: z
      .string()
      .min(1)
      .max(16)
      .default("USD")
      .meta({ description: `One of the ${CURRENCY_COUNT}`, examples: ["EUR"], ...known(CURRENCIES) }),
    include: includeSources,
  }),
  hints: {
    ...CONVERSION_HINTS,
    ...hints(UNIT_NAMES, "prices are per gram; ounces and kilograms are on /v1/convert, any other weight on /v1/quotes"),
    ...hints(["karat", "carat", "purity"], "the answer has every karat"),
    ...hints(["to", "quote"], "the parameter is currency"),
  },
  output: z
    .object({
      currency: z.string().meta({ description: "The currency", examples: ["USD"], ...known(CURRENCIES) }),
      timestamp: timestamp("The gold price's moment"),
      price_gram_24k: gram(KARATS[0], "128.7059"),
      price_gram_22k: gram(KARATS[1], "117.9804"),
      price_gram_21k: gram(KARATS[2], "112.6176"),
      price_gram_20k: gram(KARATS[3], "107.2549"),
      price_gram_18k: gram(KARATS[4], "96.5294"),
      price_gram_16k: gram(KARATS[5], "85.8039"),
      price_gram_14k: gram(KARATS[6], "75.0784"),
      price_gram_10k: gram(KARATS[7], "53.6274"),
      ...priceParts("With include=sources and in receipts"),
      stale_reason: staleReason("Why the figures are stale, as in spot rows; only when they are"),
    })
    .meta({ id: "KaratPrices", description: "Gold per gram by karat, 4 decimals, in one currency" }),
  errors: ["unsupported_currency", "spot_unavailable"],
  formats: { jws: "" },
  tool: {
    name: "get_karat_prices",
    description: "The price of one gram of gold by karat, from 24k to 10k, in one currency.",
  },
  examples: {
    euros: {
      summary: "Gold per gram in euros",
      value: {
        currency: "EUR",
        timestamp: EXAMPLE_MOMENT,
        price_gram_24k: "111.2405",
        price_gram_22k: "101.9704",
        price_gram_21k: "97.3354",
        price_gram_20k: "92.7004",
        price_gram_18k: "83.4304",
        price_gram_16k: "74.1603",
        price_gram_14k: "64.8903",
        price_gram_10k: "46.3502",
      },
    },
  },
});
