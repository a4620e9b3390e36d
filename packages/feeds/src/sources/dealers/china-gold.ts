/** China Gold's board: investment bars with both sides and jewellery gold, in CNY per gram, from the API behind its page. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import type { Feed } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { figureText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "china-gold",
  country: "CN",
  dealer: "China Gold",
  kind: "dealer",
  // Retail prices include value-added tax.
  taxIncluded: true,
  url: "https://www.chnau99999.com/page/goldPrice",
};

const GRAM = { weight: "1", weightUnit: "gram" } as const;
const BAR: DealerProduct = { id: "bar", product: "投资金条", form: "bar", karat: 24, fineness: "999.9", ...GRAM };
const JEWELLERY: DealerProduct = {
  id: "jewellery",
  product: "足金饰品",
  form: "jewellery",
  karat: 24,
  fineness: "999",
  ...GRAM,
};

/** `cur` is an indicative price that nobody trades at, and is ignored. */
const body = z.object({
  code: z.unknown().refine((code) => String(code) === "200", "the publisher reports an error"),
  data: z.object({ sel: figureText, buy: figureText, accessories: figureText }),
});

/**
 * The board; it has no timestamp.
 * @throws FeedError when a price is missing
 */
export const parseChinaGold = (text: string, observedAtMs: number): readonly DealerObservation[] => {
  const { sel, buy, accessories } = readJson(text, body).data;
  return [
    dealerObservation(source, BAR, { sell: sel, buyback: buy, observedAtMs }),
    dealerObservation(source, JEWELLERY, { sell: accessories, buyback: null, observedAtMs }),
  ];
};

export const chinaGold: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "China National Gold Group Gold Jewellery Co., Ltd.",
  terms: "The request of the shop's own page; silent on redistribution, a reference price of the day.",
  intervalMs: 300_000,
  baseUrl: "https://www.chnau99999.com",
  request: { path: "/page/board", expect: "json", post: { contentType: "application/x-www-form-urlencoded", body: "" } },
  parse: parseChinaGold,
});
