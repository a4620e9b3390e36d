/** PakGold: a price board of Pakistan's bullion market, 24-karat pieces in PKR per tola with both sides. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { localInstant } from "../../payload/local-time.ts";
import { sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "pakgold",
  country: "PK",
  dealer: "PakGold",
  kind: "board",
  taxIncluded: false,
  url: "https://www.pakgold.net",
};
const TOLA: DealerProduct = {
  id: "piece-tola",
  product: "Gold 24K piece, per tola",
  form: "reference",
  karat: 24,
  fineness: null,
  weight: "1",
  weightUnit: "tola",
};

/** `04-Oct-2026 01:05 PM`, or with a numeric month. */
const STAMP =
  /^(?<day>\d{1,2})-(?<month>\d{1,2}|[A-Za-z]{3})-(?<year>\d{4}) (?<hour>\d{1,2}):(?<minute>\d\d)(:(?<second>\d\d))? (?<half>AM|PM)$/i;

/** Rawa, the bazaar's own bars, has no stated purity and is ignored. */
const body = z.object({ pcsBuy: sideText, pcsSell: sideText, rateUpdateTime: localInstant("Asia/Karachi", STAMP) });

/**
 * Buying and selling are from the bazaar's side: it sells at `pcsSell`.
 * @returns nothing while neither side is given: the bazaar is closed, which is no fault
 * @throws FeedError when a field is missing
 */
export const parsePakgold = (text: string): readonly DealerObservation[] => {
  const { pcsSell: sell, pcsBuy: buyback, rateUpdateTime: observedAtMs } = readJson(text, body);
  return sell === null && buyback === null ? [] : [dealerObservation(source, TOLA, { sell, buyback, observedAtMs })];
};

export const pakgold: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "PakGold",
  terms: "The request of the board's own page, a third party's; silent on redistribution, may be withdrawn at any time.",
  intervalMs: 300_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://www.pakgold.net",
  request: { path: "/PGR/GoldRate", expect: "json", headers: { referer: "https://www.pakgold.net/" } },
  parse: parsePakgold,
});
