/** Dubai City of Gold: the jewellers' suggested retail rate per gram by karat in AED; no buyback is published. */
import type { DealerObservation } from "@assay/pricing";
import type { Feed } from "../../feed/feed.ts";
import { readHtml, shownText } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation, gramOf, karatOf, onePerKarat } from "./dealer-source.ts";

const source: DealerSource = {
  key: "dubai-city-of-gold",
  country: "AE",
  dealer: "Dubai City of Gold",
  kind: "benchmark",
  taxIncluded: false,
  url: "https://dubaicityofgold.com/",
};

/** A price is one word with no other figure after it: `AED 476 25` is not 476. */
const ROW = /\b(?<karat>[0-9]{2})K Gold (?<price>AED [^ ]+)($| (?![0-9.,]+( |$)))/g;

/**
 * Every karat, by name.
 * @throws FeedError when 24, 22, 21 or 18 karat is missing, or the price format differs
 */
export const parseDubaiCityOfGold = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const rows = [...shownText(readHtml(text)).matchAll(ROW)].map(({ groups: { karat = "", price = "" } = {} }) => ({
    karat: karatOf(karat),
    sell: printedPrice(price, `price of ${karat} karat gold`, { grouping: "comma", before: "AED" }),
    buyback: null,
  }));
  return onePerKarat(rows, [24, 22, 21, 18]).map(({ karat, ...sides }) =>
    dealerObservation(source, gramOf(karat, `${karat}K Gold`), { ...sides, observedAtMs: receivedAtMs }),
  );
};

/** The feed; rates are set at 9:00, 13:30 and 18:00, and the page has no timestamp. */
export const dubaiCityOfGold: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Dubai Jewellery Group",
  terms: "The trade group's public page; silent on redistribution.",
  intervalMs: 900_000,
  baseUrl: "https://dubaicityofgold.com",
  request: { path: "/", expect: "html" },
  parse: parseDubaiCityOfGold,
});
