/** The Federation of Nepal Gold and Silver Dealers: the daily rate of fine gold in NPR, per tola and per ten grams. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, REFERENCE_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DATE_THEN_TIME, localInstant } from "../../payload/local-time.ts";
import { figureNumber } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "fenegosida",
  country: "NP",
  dealer: "FENEGOSIDA",
  kind: "benchmark",
  taxIncluded: false,
  url: "https://www.fenegosida.org",
};

/** Fine gold; तेजाबी is of a lower fineness, and चाँदी is silver. */
const FINE_GOLD = "छापावाल सुन";
const rate = (id: string, words: string, weight: string, weightUnit: "tola" | "gram"): DealerProduct => ({
  id,
  product: `${FINE_GOLD} (${words})`,
  form: "reference",
  karat: 24,
  fineness: null,
  weight,
  weightUnit,
});
const UNITS: ReadonlyMap<string, DealerProduct> = new Map([
  ["१ तोला", rate("fine-tola", "१ तोला", "1", "tola")],
  ["१० ग्राम", rate("fine-10-gram", "१० ग्राम", "10", "gram")],
]);

/** Times are UTC, with or without a marker. */
const utc = z
  .string("must be text")
  .transform((text) => text.replace(/(Z|\+00:00)$/, ""))
  .pipe(localInstant("UTC", DATE_THEN_TIME));
const body = z.array(z.object({ rateType: z.string("must be text") }).loose());
const fineGold = z.object({ todayBaseRatePerGram: figureNumber, todayDate: utc });

/** The unit is in the name's brackets; the field's own name says gram and means that unit. */
const productOf = (rateType: string): DealerProduct => {
  const product = UNITS.get(/\(([^()]*)\)\s*$/.exec(rateType)?.[1]?.trim() ?? "");
  if (!product) throw new FeedError("payload", "unexpected rateType: fine gold in an unknown unit");
  return product;
};

/**
 * The rates of fine gold.
 * @throws FeedError when there is none, or a unit is unknown
 */
export const parseFenegosida = (text: string): readonly DealerObservation[] => {
  const rows = readJson(text, body).filter(({ rateType }) => rateType.includes(FINE_GOLD));
  if (rows.length === 0) throw new FeedError("payload", "no rate of fine gold");
  return rows.map((row) => {
    const product = productOf(row.rateType);
    const read = fineGold.safeParse(row);
    if (!read.success) {
      const issue = read.error.issues[0];
      throw new FeedError("payload", `unexpected ${issue?.path.join(".")}: ${issue?.message}`);
    }
    const { todayBaseRatePerGram: sell, todayDate: observedAtMs } = read.data;
    return dealerObservation(source, product, { sell, buyback: null, observedAtMs });
  });
};

export const fenegosida: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Federation of Nepal Gold and Silver Dealers' Associations",
  terms: "The request of the federation's own page; silent on redistribution. One rate a business day, without a buyback.",
  intervalMs: 1_800_000,
  freshForMs: REFERENCE_FRESH_MS,
  baseUrl: "https://api.fenegosida.org",
  request: { path: "/api/website/v1/Dashboard/today", expect: "json" },
  parse: parseFenegosida,
});
