/** Dubai City of Gold: the jewellers' suggested retail rate by the gram and karat in AED; nobody there publishes a buyback. */
import type { DealerObservation } from "@assay/pricing";
import type { Feed } from "../../feed.ts";
import { readHtml, shownText } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";
import { gramOf, karatOf, onePerKarat } from "./gold-by-karat.ts";

const source: DealerSource = {
  key: "dubai-city-of-gold",
  country: "AE",
  dealer: "Dubai City of Gold",
  kind: "benchmark",
  taxIncluded: false,
  url: "https://dubaicityofgold.com/",
};

/** A price is one word, and no other figure follows it: `AED 476 25` is not 476. */
const ROW = /\b(?<karat>[0-9]{2})K Gold (?<price>AED [^ ]+)($| (?![0-9.,]+( |$)))/g;

/**
 * Every karat, by its name.
 * @throws FeedError when 24, 22, 21 or 18 karat is missing, or a price is of another form
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

/** The feed; rates are set at 9:00, 13:30 and 18:00, and the page bears no time. */
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
