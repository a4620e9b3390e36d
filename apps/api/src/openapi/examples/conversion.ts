/** Examples of conversion and karat prices. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

export const convert: ExamplesOf<OutputOf<AssayContract["convert"]["get"]>> = {
  grams: {
    summary: "Ten grams of gold in euros",
    value: {
      from: "XAU",
      to: "EUR",
      amount: "10",
      rate: "111.240482285890303",
      result: "1112.40",
      unit: "gram",
      timestamp: MOMENT,
    },
  },
};

export const carat: ExamplesOf<OutputOf<AssayContract["carat"]["get"]>> = {
  euros: {
    summary: "Gold per gram in euros",
    value: {
      currency: "EUR",
      timestamp: MOMENT,
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
};
