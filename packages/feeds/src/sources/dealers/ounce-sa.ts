/** Ounce in Saudi Arabia: price per gram in SAR, by karat; no buyback is published. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import type { Feed } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { figureText } from "../../payload/published.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "ounce-sa",
  country: "SA",
  dealer: "Ounce",
  kind: "dealer",
  taxIncluded: false,
  url: "https://ounce.com.sa",
};

/** 24 karat is for bars; the others are jewellery. */
const KARATS = [24, 22, 21, 18] as const;

const body = z.object({
  success: z.literal(true, "the publisher reports an error"),
  prices: z.object({ "24k": figureText, "22k": figureText, "21k": figureText, "18k": figureText }),
});

/**
 * A gram of each karat; the answer has no timestamp.
 * @throws FeedError when a karat is missing
 */
export const parseOunceSa = (text: string, observedAtMs: number): readonly DealerObservation[] => {
  const { prices } = readJson(text, body);
  return KARATS.map((karat) => {
    const product = `ذهب عيار ${karat}، غرام`;
    const form = karat === 24 ? "reference" : "jewellery";
    const gram = { id: `${karat}k-gram`, product, form, karat, fineness: null, weight: "1", weightUnit: "gram" } as const;
    return dealerObservation(source, gram, { sell: prices[`${karat}k`], buyback: null, observedAtMs });
  });
};

export const ounceSa: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Ounce",
  terms: "The request of the shop's own page; silent on redistribution, may be withdrawn at any time.",
  intervalMs: 300_000,
  baseUrl: "https://ounce.com.sa",
  request: { path: "/wp-json/wgp/v1/prices?lang=ar", expect: "json" },
  parse: parseOunceSa,
});
