/** Chow Tai Fook in Hong Kong: jewellery gold and pellets in HKD, each per tael and per gram, both sides. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { oneIn, readHtml } from "../../payload/html.ts";
import { DATE_THEN_TIME, localInstant } from "../../payload/local-time.ts";
import { figureText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const PATH = "/en-hk/eshop/realtime-gold-price.html";
const source: DealerSource = {
  key: "chow-tai-fook",
  country: "HK",
  dealer: "Chow Tai Fook Jewellery",
  kind: "dealer",
  taxIncluded: false,
  url: `https://www.chowtaifook.com${PATH}`,
};

const product = (id: string, name: string, form: "bar" | "jewellery", weightUnit: "tael" | "gram"): DealerProduct => ({
  id: `${id}-${weightUnit}`,
  product: name,
  form,
  karat: 24,
  fineness: "999.9",
  weight: "1",
  weightUnit,
});

/** Products, by field name; a field that ends in `_g` is per gram, any other per tael. */
const PRODUCTS = [
  { sell: "Gold_Sell", buyback: "Gold_Buy", ...product("jewellery", "999.9 Gold", "jewellery", "tael") },
  { sell: "Gold_Sell_g", buyback: "Gold_Buy_g", ...product("jewellery", "999.9 Gold", "jewellery", "gram") },
  { sell: "Gold_Pellet_Sell", buyback: "Gold_Pellet_Buy", ...product("pellet", "Gold Pellet", "bar", "tael") },
  { sell: "Gold_Pellet_Sell_g", buyback: "Gold_Pellet_Buy_g", ...product("pellet", "Gold Pellet", "bar", "gram") },
] as const;

const prices = z.object({
  Updated_Time: localInstant("Asia/Hong_Kong", DATE_THEN_TIME),
  Gold_Sell: figureText,
  Gold_Buy: figureText,
  Gold_Sell_g: figureText,
  Gold_Buy_g: figureText,
  Gold_Pellet_Sell: figureText,
  Gold_Pellet_Buy: figureText,
  Gold_Pellet_Sell_g: figureText,
  Gold_Pellet_Buy_g: figureText,
});

/**
 * The prices in the JSON that the page embeds for its script.
 * @throws FeedError when it is missing, or lacks a price or the time
 */
export const parseChowTaiFook = (text: string): readonly DealerObservation[] => {
  const hidden = oneIn(readHtml(text), "input.gold-price-data", "hidden list of prices");
  const found = readJson(hidden.attribs.value ?? "", prices);
  return PRODUCTS.map(({ sell, buyback, ...item }) =>
    dealerObservation(source, item, { sell: found[sell], buyback: found[buyback], observedAtMs: found.Updated_Time }),
  );
};

export const chowTaiFook: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Chow Tai Fook Jewellery Group Limited",
  terms: "The shop's own price page; silent on redistribution, prices are for reference.",
  intervalMs: 600_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://www.chowtaifook.com",
  request: { path: PATH, expect: "html" },
  parse: parseChowTaiFook,
});
