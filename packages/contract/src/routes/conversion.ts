/** Conversion between metals and currencies, and karat prices per gram. */
import { z } from "zod";
import { route } from "../route.ts";
import { CONVERTIBLES, CURRENCIES, decimal, decimalParameter, KARATS, known, timestamp, WEIGHT_UNITS } from "../values.ts";

/** GET /v1/convert */
export const convert = route({
  method: "GET",
  path: "/v1/convert",
  tag: "Conversion",
  summary: "Convert between metals and currencies",
  description:
    "XAU, XAG and the 31 currencies, in all four directions. Metals delayed by the caller's tier are crossed with the rate of their own moment; a bare currency cross is not delayed.",
  access: { auth: "optional" },
  input: z.object({
    from: z
      .string()
      .min(1)
      .max(16)
      .meta({ description: "XAU, XAG or a currency code", examples: ["XAU"], ...known(CONVERTIBLES) }),
    to: z
      .string()
      .min(1)
      .max(16)
      .meta({ description: "XAU, XAG or a currency code", examples: ["EUR"], ...known(CONVERTIBLES) }),
    amount: decimalParameter("How much of `from`, finite and positive", "1"),
    unit: z
      .string()
      .min(1)
      .max(16)
      .default("oz")
      .meta({ description: "Weight unit of the metal side: oz, gram or kg", ...known(WEIGHT_UNITS) }),
  }),
  output: z
    .object({
      from: z.string().meta({ description: "Source code", examples: ["XAU"], ...known(CONVERTIBLES) }),
      to: z.string().meta({ description: "Target code", examples: ["EUR"], ...known(CONVERTIBLES) }),
      amount: decimal("How much of `from`", "2.5"),
      rate: decimal("Value of one unit of `from` in `to`, up to 18 significant digits", "3454.76160"),
      result: decimal("amount × rate, rounded half up to the target's minor units; metals 6 decimals", "8636.90"),
      unit: z.enum(WEIGHT_UNITS).meta({ description: "Weight unit of the metal side" }),
      timestamp: timestamp("The metal price's moment; for two currencies that of the `to` leg"),
    })
    .meta({ id: "Conversion", description: "An amount converted, and the rate it was converted at" }),
  errors: ["unsupported_currency", "unsupported_unit", "bad_request", "spot_unavailable"],
});

const gram = (karat: number, example: string) => decimal(`Price per gram of ${karat} karat gold, in the currency`, example);

/** GET /v1/carat */
export const carat = route({
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
      .meta({ description: "One of the 31 currencies", examples: ["EUR"], ...known(CURRENCIES) }),
  }),
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
    })
    .meta({ id: "KaratPrices", description: "Gold per gram by karat, 4 decimals, in one currency" }),
  errors: ["unsupported_currency", "spot_unavailable"],
});
