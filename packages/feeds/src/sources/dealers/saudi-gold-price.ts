/** saudigoldprice.com, a price board: the ounce in SAR on both sides, and gold per gram by karat. */
import type { DealerObservation } from "@assay/pricing";
import type { Document } from "domhandler";
import { FeedError } from "../../feed/error.ts";
import type { Feed } from "../../feed/feed.ts";
import { missing, readHtml, selectIn, shownText } from "../../payload/html.ts";
import { withinDay } from "../../payload/local-time.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import {
  type DealerProduct,
  type DealerSource,
  dealerFeed,
  dealerObservation,
  gramOf,
  karatOf,
  onePerKarat,
} from "./dealer-source.ts";

const source: DealerSource = {
  key: "saudi-gold-price",
  country: "SA",
  dealer: "saudigoldprice.com",
  kind: "board",
  taxIncluded: false,
  url: "https://saudigoldprice.com/",
};

const OUNCE: DealerProduct = {
  id: "ounce",
  product: "أونصة الذهب",
  form: "reference",
  karat: 24,
  fineness: null,
  weight: "1",
  weightUnit: "oz",
};
/** Sale and purchase are from the customer's side here: the purchase price is higher. */
const OUNCE_SOLD_BY_CUSTOMER = "بيع أونصة الذهب";
const OUNCE_BOUGHT_BY_CUSTOMER = "شراء أونصة الذهب";
const GRAM = /^سعر جرام الذهب عيار (?<karat>\p{Nd}{2})$/u;

/** Every row's first price by the row's label: rows come in varying order. */
const pricesByLabel = (page: Document): ReadonlyMap<string, string> => {
  const prices = new Map<string, string>();
  for (const row of selectIn(page, ".divTableRow")) {
    const [label = "", price = ""] = selectIn(row, ".divTableCell").map(shownText);
    if (prices.has(label) && prices.get(label) !== price) throw new FeedError("payload", `the page has two rows ${label}`);
    prices.set(label, price);
  }
  return prices;
};

const riyals = (price: string | undefined, what: string): string => {
  if (price === undefined) throw missing(`row ${what}`);
  return printedPrice(price, what, { grouping: "comma" });
};

/** The date in the table's header, where it has one. */
const quotedAtMs = (page: Document, receivedAtMs: number): number => {
  const heads = selectIn(page, ".divTableHead").map(shownText);
  const day = heads.find((head) => /^\d{4}\/\d\d\/\d\d$/.test(head))?.replaceAll("/", "-");
  return day === undefined ? receivedAtMs : withinDay("Asia/Riyadh", day, receivedAtMs);
};

/**
 * The ounce, then every karat per gram.
 * @throws FeedError when a side of the ounce, 24 or 21 karat is missing, or the price format differs
 */
export const parseSaudiGoldPrice = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const page = readHtml(text);
  const prices = pricesByLabel(page);
  const observedAtMs = quotedAtMs(page, receivedAtMs);
  const sell = riyals(prices.get(OUNCE_BOUGHT_BY_CUSTOMER), OUNCE_BOUGHT_BY_CUSTOMER);
  const buyback = riyals(prices.get(OUNCE_SOLD_BY_CUSTOMER), OUNCE_SOLD_BY_CUSTOMER);
  const rows = [...prices].flatMap(([label, price]) => {
    const karat = GRAM.exec(label)?.groups?.karat;
    return karat === undefined ? [] : [{ karat: karatOf(karat), sell: riyals(price, label), buyback: null }];
  });
  const grams = onePerKarat(rows, [24, 21]).map(({ karat, ...sides }) =>
    dealerObservation(source, gramOf(karat, `ذهب عيار ${karat}`), { ...sides, observedAtMs }),
  );
  return [dealerObservation(source, OUNCE, { sell, buyback, observedAtMs }), ...grams];
};

export const saudiGoldPrice: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "saudigoldprice.com",
  terms: "A public board of a third party; silent on redistribution.",
  intervalMs: 300_000,
  baseUrl: "https://saudigoldprice.com",
  request: { path: "/", expect: "html" },
  parse: parseSaudiGoldPrice,
});
