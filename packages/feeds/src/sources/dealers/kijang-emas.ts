/** Bank Negara Malaysia's Kijang Emas: gold coins of one, a half and a quarter ounce in MYR, priced once per business day. */
import { type DealerObservation, dayIn, wallTimeMs } from "@assay/pricing";
import { z } from "zod";
import { type Feed, REFERENCE_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DATE_THEN_TIME, localInstant } from "../../payload/local-time.ts";
import { figureNumber } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const ZONE = "Asia/Kuala_Lumpur";
const source: DealerSource = {
  key: "kijang-emas",
  country: "MY",
  dealer: "Bank Negara Malaysia",
  kind: "dealer",
  taxIncluded: false,
  url: "https://www.bnm.gov.my/kijang-emas-prices",
};

const coin = (id: string, size: string, weight: string): DealerProduct => ({
  id,
  product: `Kijang Emas ${size}`,
  form: "coin",
  karat: 24,
  fineness: "999.9",
  weight,
  weightUnit: "oz",
});
const COINS = [
  ["one_oz", coin("one-oz", "1 oz", "1")],
  ["half_oz", coin("half-oz", "1/2 oz", "0.5")],
  ["quarter_oz", coin("quarter-oz", "1/4 oz", "0.25")],
] as const;

const prices = z.object({ buying: figureNumber, selling: figureNumber });
const body = z.object({
  data: z.object({ effective_date: z.iso.date("must be a date"), one_oz: prices, half_oz: prices, quarter_oz: prices }),
  meta: z.object({ last_updated: localInstant(ZONE, DATE_THEN_TIME) }),
});

/**
 * Buying and selling are from the bank's side: it sells at `selling`. Prices are valid from their publication time on their day;
 * when that is another day, from its start.
 * @throws FeedError when a coin's price is missing
 */
export const parseKijangEmas = (text: string): readonly DealerObservation[] => {
  const { data, meta } = readJson(text, body);
  const { effective_date: day } = data;
  const observedAtMs = dayIn(ZONE, meta.last_updated) === day ? meta.last_updated : wallTimeMs(ZONE, day, 0);
  return COINS.map(([field, product]) => {
    const { selling: sell, buying: buyback } = data[field];
    return dealerObservation(source, product, { sell, buyback, observedAtMs });
  });
};

export const kijangEmas: Feed = dealerFeed({
  source,
  license: "official-open",
  publisher: "Bank Negara Malaysia",
  terms: "The central bank's open API; its data may be reused with the source named.",
  intervalMs: 3_600_000,
  freshForMs: REFERENCE_FRESH_MS,
  baseUrl: "https://api.bnm.gov.my",
  request: { path: "/public/kijang-emas", expect: "json", headers: { accept: "application/vnd.BNM.API.v1+json" } },
  parse: parseKijangEmas,
});
