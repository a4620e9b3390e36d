/** Luk Fook in Hong Kong: investment gold, pellets and jewellery in HKD, each per gram and per tael. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DATE_THEN_TIME, localInstant } from "../../payload/local-time.ts";
import { figureText, sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "luk-fook",
  country: "HK",
  dealer: "Luk Fook Jewellery",
  kind: "dealer",
  taxIncluded: false,
  url: "https://www.lukfook.com/tc/page/goldprice",
};

const PURE = { karat: 24, fineness: "999.9" } as const;
/** Products, by field prefix; S is what a customer pays, B what a customer is paid. */
const KINDS = [
  { word: "Investment", id: "investment", product: "投資金", form: "bar", ...PURE },
  { word: "GoldPiece", id: "pellet", product: "金片、金粒", form: "bar", ...PURE },
  { word: "Gold", id: "jewellery", product: "999.9飾金", form: "jewellery", ...PURE },
] as const;
/** A field per tael has a T before its side. */
const UNITS = [
  { mark: "", weightUnit: "gram" },
  { mark: "T", weightUnit: "tael" },
] as const;

const body = z.object({
  status: z.unknown().refine((status) => String(status) === "1", "the publisher reports an error"),
  data: z.object({
    // The mainland's prices have the same format in another currency; only Hong Kong's include the yuan rate.
    rmb_buyprice: figureText,
    record_date: localInstant("Asia/Hong_Kong", DATE_THEN_TIME),
    group: z.array(z.record(z.string(), z.unknown())),
  }),
});

/**
 * Every product, per gram and per tael.
 * @throws FeedError when a price is missing, or the answer is the mainland's
 */
export const parseLukFook = (text: string): readonly DealerObservation[] => {
  const { group, record_date: observedAtMs } = readJson(text, body).data;
  const fields: Readonly<Record<string, unknown>> = Object.assign({}, ...group);
  const side = (name: string): string | null => {
    const read = sideText.safeParse(fields[name]);
    if (!read.success) throw new FeedError("payload", `unexpected ${name}: ${read.error.issues[0]?.message ?? "invalid"}`);
    return read.data;
  };
  return KINDS.flatMap(({ word, id, ...kind }) =>
    UNITS.map(({ mark, weightUnit }) => {
      const product: DealerProduct = { ...kind, id: `${id}-${weightUnit}`, weight: "1", weightUnit };
      const [sell, buyback] = [side(`${word}${mark}S`), side(`${word}${mark}B`)];
      return dealerObservation(source, product, { sell, buyback, observedAtMs });
    }),
  );
};

export const lukFook: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Luk Fook Holdings (International) Limited",
  terms: "The request of the shop's own page; silent on redistribution, prices are for reference.",
  intervalMs: 300_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://www.lukfook.com",
  // The header selects the place: `sc` returns the mainland's prices.
  request: { path: "/api/goldprice/page", expect: "json", headers: { lang: "tc", referer: source.url } },
  parse: parseLukFook,
});
