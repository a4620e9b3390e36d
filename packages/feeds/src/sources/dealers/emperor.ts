/** Emperor Watch & Jewellery in Hong Kong: jewellery gold, pellets and bars in HKD per tael, both sides. */
import type { DealerObservation } from "@assay/pricing";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { missing, readHtml, selectIn, shownText, valueIn } from "../../payload/html.ts";
import { localInstant } from "../../payload/local-time.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const PATH = "/zh/gold-price/";
const source: DealerSource = {
  key: "emperor",
  country: "HK",
  dealer: "Emperor Jewellery",
  kind: "dealer",
  taxIncluded: false,
  url: `https://www.emperorwatchjewellery.com${PATH}`,
};

const PRODUCTS = [
  { id: "jewellery-tael", product: "足金飾品", form: "jewellery" },
  { id: "pellet-tael", product: "足金金粒", form: "bar" },
  { id: "bar-tael", product: "足金金條", form: "bar" },
] as const;
/** 足金 alone states only the legal minimum, so its fineness is left to the karat. */
const TAEL = { karat: 24, fineness: null, weight: "1", weightUnit: "tael" } as const;

const updatedAt = localInstant(
  "Asia/Hong_Kong",
  /最後更新時間 ?: ?(?<year>\d{4})\/(?<month>\d\d)\/(?<day>\d\d) (?<hour>\d\d):(?<minute>\d\d)(:(?<second>\d\d))?/,
);

/**
 * Every product, by name.
 * @throws FeedError when one is missing or not priced per tael, or the time is missing
 */
export const parseEmperor = (text: string): readonly DealerObservation[] => {
  const page = readHtml(text);
  const updated = updatedAt.safeParse(shownText(page));
  if (!updated.success) throw missing("time of its last update");
  // The same rows appear again, in another order, for small screens.
  const rows = selectIn(page, ".gold-table-desktop .row");
  return PRODUCTS.map(({ product, ...item }) => {
    const row = rows.find((each) => selectIn(each, ".name").some((name) => shownText(name) === product));
    if (!row) throw missing(`row ${product}`);
    if (valueIn(row, ".type", `unit of ${product}`) !== "(兩)") throw missing(`price per tael of ${product}`);
    const side = (name: string): string => {
      const what = `${name} of ${product}`;
      return printedPrice(valueIn(row, `.${name}`, what), what, { grouping: "comma" });
    };
    const prices = { sell: side("sell-price"), buyback: side("buy-price"), observedAtMs: updated.data };
    return dealerObservation(source, { ...item, ...TAEL, product }, prices);
  });
};

export const emperor: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Emperor Watch & Jewellery Limited",
  terms: "The shop's own price page; silent on redistribution, prices are for reference.",
  intervalMs: 600_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://www.emperorwatchjewellery.com",
  request: { path: PATH, expect: "html" },
  parse: parseEmperor,
});
