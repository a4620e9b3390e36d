/** What a price in a currency is made of: a price in dollars and a rate, which were published together. */
import { z } from "zod";
import { decimal, timestamp } from "./values.ts";

/** What a rate is: of a live feed, the daily reference of a bank, or fixed by law. */
export const FX_ROLES = ["live", "reference", "peg"] as const;

/**
 * The fields of it; outside USD all of them, in USD `price_usd` alone.
 * @param when when they are there, at the start of each description
 */
export const priceParts = (when: string) => {
  const outside = `${when}${when === "" ? "O" : ", o"}utside USD: `;
  const always = when === "" ? "" : `${when}: `;
  return {
    price_usd: decimal(
      `${always}the price in USD per ounce or pound, with every digit: times \`fx_rate\` it is the price to its last digit`,
    ).optional(),
    fx_rate: decimal(
      `${outside}units of the currency for one USD that stood when the price was published, up to 18 significant digits`,
      "0.864304235090751945",
    ).optional(),
    fx_source: z
      .string()
      .optional()
      .meta({ description: `${outside}where the rate comes from`, examples: ["coinbase-fx"] }),
    fx_role: z
      .enum(FX_ROLES)
      .optional()
      .meta({ description: `${outside}what the rate is` }),
    fx_at: timestamp(`${outside}when the rate was published; of a peg the price's own moment`).optional(),
  };
};

/** Outside USD, in examples. */
export const exampleRate = {
  fx_rate: "0.864304235090751945",
  fx_source: "coinbase-fx",
  fx_role: "live",
  fx_at: "2026-11-20T13:59:12Z",
} as const;
