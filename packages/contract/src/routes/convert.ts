/** Conversion between metals and currencies. */
import { z } from "zod";
import { route } from "../route.ts";
import { CONVERTIBLES, decimal, decimalParameter, EXAMPLE_MOMENT, known, knownOnly, timestamp, WEIGHT_UNITS } from "../values.ts";

/** GET /v1/convert */
export const getConvert = route({
  method: "GET",
  path: "/v1/convert",
  tag: "Conversion",
  summary: "Convert between metals and currencies",
  description:
    "XAU, XAG and the 31 currencies, in all four directions. Delayed metals use the currency rate of the same moment; conversions between currencies are not delayed.",
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
      .meta({ description: "Weight unit of the metal side: oz, gram or kg", ...knownOnly(WEIGHT_UNITS) }),
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
  formats: { text: "result", jws: "" },
  tool: {
    name: "convert",
    description:
      "Converts an amount between gold (XAU), silver (XAG) and currencies, for example 10 grams of gold in EUR, or USD in EUR. Use it instead of multiplying prices yourself.",
  },
  examples: {
    grams: {
      summary: "Ten grams of gold in euros",
      value: {
        from: "XAU",
        to: "EUR",
        amount: "10",
        rate: "111.240482285890303",
        result: "1112.40",
        unit: "gram",
        timestamp: EXAMPLE_MOMENT,
      },
    },
  },
});
