/** Treasury in Indonesia: gold held on account, in IDR per gram. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DATE_THEN_TIME, localInstant } from "../../payload/local-time.ts";
import { figureNumber } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "treasury-id",
  country: "ID",
  dealer: "Treasury",
  kind: "dealer",
  taxIncluded: false,
  url: "https://www.treasury.id",
};
const GRAM: DealerProduct = {
  id: "gram",
  product: "Emas digital, 1 gram",
  form: "reference",
  karat: 24,
  fineness: "999.9",
  weight: "1",
  weightUnit: "gram",
};

const body = z.object({
  meta: z.object({ status: z.literal("success", "the publisher reports an error") }),
  data: z.object({
    buying_rate: figureNumber,
    selling_rate: figureNumber,
    updated_at: localInstant("Asia/Jakarta", DATE_THEN_TIME),
  }),
});

/**
 * Buying and selling are from the customer's side: the buying rate is what a customer pays.
 * @throws FeedError when a rate or the time is missing
 */
export const parseTreasuryId = (text: string): readonly DealerObservation[] => {
  const { buying_rate: sell, selling_rate: buyback, updated_at: observedAtMs } = readJson(text, body).data;
  return [dealerObservation(source, GRAM, { sell, buyback, observedAtMs })];
};

export const treasuryId: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "PT Indonesia Logam Pratama",
  terms: "The request of the publisher's own app; silent on redistribution, may be withdrawn at any time.",
  intervalMs: 300_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://api.treasury.id",
  request: {
    path: "/api/v1/antigrvty/gold/rate",
    expect: "json",
    post: { contentType: "application/json", body: "{}" },
  },
  parse: parseTreasuryId,
});
