/** A consumer's code under test: what a piece of gold is worth, and when gold is expensive enough to sell. */
import { SpotUnavailableError } from "@assay/sdk";

/**
 * Computes what a piece is worth.
 * @param {import("@assay/sdk").Assay} assay
 * @param {string} grams
 */
export const worthOf = async (assay, grams) => {
  try {
    const { priceGram18k, currency } = await assay.carat.get({ currency: "EUR" });
    return `${currency} ${priceGram18k.times(grams).toFixed(2)}`;
  } catch (error) {
    if (error instanceof SpotUnavailableError) return "no price today";
    throw error;
  }
};

/**
 * Waits for a price above a limit.
 * @param {import("@assay/sdk/stream").Assay} assay
 * @param {string} limit
 * @returns the price, and how many prices were missed in the meantime
 */
export const waitToSell = async (assay, limit) => {
  let unseen = 0;
  for await (const event of assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })) {
    if (event.type === "gap") unseen += event.toSeq - event.fromSeq + 1;
    if (event.type === "tick" && event.price.gt(limit)) return { price: event.price.text, unseen };
  }
  throw new Error("the stream was closed");
};
