/** What a price is made of, as answers show it: whoever multiplies it gets the price to its last digit. */
import { type DecimalText, type FX_ROLES, formatTimestamp } from "@assay/contract";
import { type FxRate, presentRate, presentWhole } from "@assay/pricing";

/** The fields of `priceParts` in the contract. */
interface PriceParts {
  price_usd: DecimalText;
  fx_rate?: DecimalText;
  fx_source?: string;
  fx_role?: (typeof FX_ROLES)[number];
  fx_at?: string;
}

/**
 * The parts of a price.
 * @param usd the price in USD, unrounded
 * @param rate what it is multiplied with
 */
export const presentParts = (usd: DecimalText, rate: FxRate): PriceParts => {
  const { role, source, observedAtMs } = rate;
  const price = { price_usd: presentWhole(usd) };
  if (role === "identity") return price;
  return {
    ...price,
    fx_rate: presentRate(rate),
    fx_source: source,
    fx_role: role,
    fx_at: formatTimestamp(observedAtMs),
  };
};
