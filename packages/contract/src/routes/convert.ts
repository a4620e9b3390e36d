/** Conversion between metals and currencies. */
import { z } from "zod";
import { CONVERSION_HINTS, CURRENCY_NAMES, hints } from "../hints.ts";
import { priceParts } from "../price-parts.ts";
import { route } from "../route.ts";
import {
  CONVERTIBLES,
  decimal,
  decimalParameter,
  EXAMPLE_MOMENT,
  includeSources,
  known,
  knownOnly,
  staleReason,
  timestamp,
  WEIGHT_UNITS,
} from "../values.ts";
import { CONVERT_CODED_LIST, CONVERT_METAL_LIST, CURRENCY_COUNT, UNIT_CHOICE } from "../wording.ts";

/** GET /v1/convert */
export const getConvert = route({
  method: "GET",
  path: "/v1/convert",
  tag: "Conversion",
  summary: "Convert between metals and currencies",
  description: `${CONVERT_METAL_LIST} and the ${CURRENCY_COUNT}, in all four directions. A metal is converted with the rate that was published with its price; conversions between currencies are not delayed.`,
  access: { auth: "optional" },
  input: z.object({
    from: z
      .string()
      .min(1)
      .max(16)
      .meta({ description: `${CONVERT_METAL_LIST} or a currency code`, examples: ["XAU"], ...known(CONVERTIBLES) }),
    to: z
      .string()
      .min(1)
      .max(16)
      .meta({ description: `${CONVERT_METAL_LIST} or a currency code`, examples: ["EUR"], ...known(CONVERTIBLES) }),
    amount: decimalParameter("How much of `from`, finite and positive", "1"),
    unit: z
      .string()
      .min(1)
      .max(16)
      .default("oz")
      .meta({ description: `Weight unit of the metal side: ${UNIT_CHOICE}`, ...knownOnly(WEIGHT_UNITS) }),
    include: includeSources,
  }),
  hints: {
    ...CONVERSION_HINTS,
    ...hints(CURRENCY_NAMES, "the two sides are from and to"),
    ...hints(["q", "quantity", "value"], "how much to convert is amount"),
    ...hints(["karat", "carat", "purity"], "prices by karat are on /v1/carat"),
  },
  output: z
    .object({
      from: z.string().meta({ description: "Source code", examples: ["XAU"], ...known(CONVERTIBLES) }),
      to: z.string().meta({ description: "Target code", examples: ["EUR"], ...known(CONVERTIBLES) }),
      amount: decimal("How much of `from`", "2.5"),
      rate: decimal("Value of one unit of `from` in `to`, up to 18 significant digits", "3454.76160"),
      result: decimal(
        "amount × rate, rounded half up to the target's minor units; metals 6 decimals. A result below the last of them has four significant digits instead",
        "8636.90",
      ),
      unit: z.enum(WEIGHT_UNITS).meta({ description: "Weight unit of the metal side" }),
      timestamp: timestamp("The metal price's moment; for two currencies that of the `to` leg"),
      stale_reason: staleReason("Why the figure is stale, as in spot rows; only when it is"),
      ...priceParts("Between a metal and a currency, with include=sources and in receipts"),
    })
    .meta({ id: "Conversion", description: "An amount converted, and the rate it was converted at" }),
  errors: ["unsupported_currency", "unsupported_unit", "bad_request", "spot_unavailable"],
  formats: { text: "result", jws: "" },
  tool: {
    name: "convert",
    description: `Converts an amount between ${CONVERT_CODED_LIST} and currencies, for example 10 grams of gold in EUR, or USD in EUR. Use it instead of multiplying prices yourself.`,
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
