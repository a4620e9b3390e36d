/** eDahab in Egypt: gold per gram by karat in EGP, both sides. */
import type { DealerObservation } from "@assay/pricing";
import type { Feed } from "../../feed/feed.ts";
import { readHtml, shownText } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation, gramOf, karatOf, onePerKarat } from "./dealer-source.ts";

const source: DealerSource = {
  key: "edahab",
  country: "EG",
  dealer: "eDahab",
  kind: "dealer",
  taxIncluded: false,
  url: "https://edahabapp.com/",
};

/** Karat, then the shop's sell (بيع) and buy (شراء) price, each in pounds (جنيه). */
const ROW = /عيار (?<karat>\p{Nd}{2}) ?: ?بيع ?: ?(?<sell>[^ ]+ جنيه) شراء ?: ?(?<buyback>[^ ]+ جنيه)/gu;
const POUNDS = { grouping: "comma", after: "جنيه" } as const;

/**
 * Every karat, by the words around its prices.
 * @throws FeedError when 24 or 21 karat is missing, or the price format differs
 */
export const parseEdahab = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const rows = [...shownText(readHtml(text)).matchAll(ROW)].map(({ groups: { karat = "", sell = "", buyback = "" } = {} }) => ({
    karat: karatOf(karat),
    sell: printedPrice(sell, `sell price of ${karat} karat gold`, POUNDS),
    buyback: printedPrice(buyback, `buyback price of ${karat} karat gold`, POUNDS),
  }));
  return onePerKarat(rows, [24, 21]).map(({ karat, ...sides }) =>
    dealerObservation(source, gramOf(karat, `ذهب عيار ${karat}`), { ...sides, observedAtMs: receivedAtMs }),
  );
};

/** The feed; the page has no timestamp. */
export const edahab: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "eDahab",
  terms: "The dealer's own price page; silent on redistribution.",
  intervalMs: 300_000,
  baseUrl: "https://edahabapp.com",
  request: { path: "/", expect: "html" },
  parse: parseEdahab,
});
