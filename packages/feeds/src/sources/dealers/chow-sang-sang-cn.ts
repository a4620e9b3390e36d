/** Chow Sang Sang on the mainland: jewellery gold and ingots in CNY per gram, as JSON rows embedded in its page. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { figureText, isoOffsetInstant } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "chow-sang-sang-cn",
  country: "CN",
  dealer: "Chow Sang Sang",
  kind: "dealer",
  // Retail prices include value-added tax.
  taxIncluded: true,
  url: "https://cn.chowsangsang.com/gold-info",
};

const GRAM = { karat: 24, weight: "1", weightUnit: "gram" } as const;
/** Products, with the row types of each side. Another firm buys, in some shops. */
const KINDS: readonly { readonly sell: string; readonly buyback: string; readonly product: DealerProduct }[] = [
  {
    sell: "G_INGOT_SELL",
    buyback: "G_INGOT_CNTPTBUY",
    product: { id: "ingot", product: "生生金宝", form: "bar", fineness: "999.9", ...GRAM },
  },
  {
    sell: "G_JW_SELL",
    buyback: "G_JW_CNTPTBUY",
    product: { id: "jewellery", product: "足金饰品", form: "jewellery", fineness: "999", ...GRAM },
  },
];

const row = z.object({
  region: z.literal("CHN", "must be the mainland"),
  type: z.string("must be text"),
  price: figureText,
  currencyCode: z.literal("RMB", "must be RMB"),
  weightUnit: z.literal("GM", "must be per gram"),
  lastUpdateDate: isoOffsetInstant,
});
const rows = z.array(row);

/** The rows are embedded plainly, or with escaped quotation marks. */
const rowsIn = (page: string): string => {
  const found = /\[\{"region"[^[\]]*\]/.exec(page.replaceAll("&quot;", '"'))?.[0];
  if (found === undefined) throw new FeedError("payload", "the page holds no rows of prices");
  return found;
};

/**
 * Both products; a missing side is null. Of a quote's two times the later counts.
 * @throws FeedError when a product has no sell price, or a row is of another place, currency or unit
 */
export const parseChowSangSangCn = (page: string): readonly DealerObservation[] => {
  const byType = new Map(readJson(rowsIn(page), rows).map((one) => [one.type, one] as const));
  return KINDS.map(({ sell, buyback, product }) => {
    const [sold, bought] = [byType.get(sell), byType.get(buyback)];
    if (!sold) throw new FeedError("payload", `there is no ${sell}`);
    const observedAtMs = Math.max(sold.lastUpdateDate, bought?.lastUpdateDate ?? 0);
    return dealerObservation(source, product, { sell: sold.price, buyback: bought?.price ?? null, observedAtMs });
  });
};

export const chowSangSangCn: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Chow Sang Sang Holdings International Limited",
  terms: "A page for people; silent on redistribution, prices are for reference.",
  intervalMs: 600_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://cn.chowsangsang.com",
  request: { path: "/gold-info", expect: "html" },
  parse: parseChowSangSangCn,
});
