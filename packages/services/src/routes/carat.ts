/** GET /v1/carat: gold per gram by karat. */
import { type AssayContract, CURRENCIES, formatTimestamp, readCurrency, unsupportedCurrency, type Verb } from "@assay/contract";
import { karatPrices } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readGroups } from "../prices/groups.ts";
import { missingMessage, type PricePart } from "../prices/missing-parts.ts";
import { presentParts } from "../prices/price-parts.ts";

/** Per-gram prices from the spot price of the caller's instant and the rate beside it. */
export const getCarat =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["carat"]["get"], VerbContext> =>
  (input, { asOfMs, isReceipt, fail }) => {
    const currency = readCurrency(input.currency);
    if (!currency) return fail("unsupported_currency", { message: unsupportedCurrency("currency", input.currency, CURRENCIES) });
    const { price, rate, stale } = market.standingOf({ instrument: "XAU-USD-SPOT", currency }, asOfMs);
    if (!price || !rate) {
      const missing: PricePart[] = [];
      if (!price) missing.push({ kind: "metal", code: "XAU" });
      if (!rate) missing.push({ kind: "currency", code: currency });
      return fail("spot_unavailable", { message: missingMessage(missing) });
    }
    const grams = karatPrices(price.price, rate);
    return {
      currency,
      timestamp: formatTimestamp(price.computedAtMs),
      price_gram_24k: grams[24],
      price_gram_22k: grams[22],
      price_gram_21k: grams[21],
      price_gram_20k: grams[20],
      price_gram_18k: grams[18],
      price_gram_16k: grams[16],
      price_gram_14k: grams[14],
      price_gram_10k: grams[10],
      ...(stale.isStale && { stale_reason: stale.reason }),
      ...(readGroups(input.include, { isKnown: true, isReceipt }).parts && presentParts(price.price, rate)),
    };
  };
