/** The National Bank of Moldova: gold and silver in lei per gram, one document per day. */
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, REFERENCE_FRESH_MS } from "../../feed/feed.ts";
import { readXml, shaped, textOf } from "../../payload/body.ts";
import { figureText } from "../../payload/published.ts";
import {
  BANK_INTERVAL_MS,
  type DollarRates,
  dayFirst,
  type GramPrice,
  newestOf,
  only,
  pointedDay,
  ratesByDay,
  references,
} from "./reference-days.ts";

const KEY = "nbm";
/** Each metal's unit as the document states it. */
const UNITS = new Map([
  ["XAU", "Gram gold"],
  ["XAG", "Gram silver"],
]);

const entry = z.object({
  CharCode: only(z.string()),
  Nominal: only(z.string()),
  Name: only(z.string()),
  Value: only(z.string()),
});
const metals = z.object({ MetalPrice: z.tuple([z.object({ Date: pointedDay, Metal: z.array(entry).default([]) })]) });
const currencies = z.object({ ValCurs: z.tuple([z.object({ Date: pointedDay, Valute: z.array(entry) })]) });

/** A price or rate of one: of some currencies the bank states that of ten or a hundred. */
const single = z.object({ Nominal: z.literal("1", "must be 1"), Value: figureText });

/** @throws FeedError when the document is not the bank's, or a metal is not per gram */
export const parseNbmMetals = (text: string): readonly GramPrice[] => {
  const { Date: day, Metal } = shaped(readXml(text), metals).MetalPrice[0];
  return Metal.flatMap((each) => {
    const { CharCode: metal, Name } = each;
    const unit = UNITS.get(metal);
    if (unit === undefined) return [];
    if (Name !== unit) throw new FeedError("payload", `unexpected unit of ${metal}: must be ${unit}`);
    return [{ day, metal, perGram: shaped(each, single).Value }];
  });
};

/** @throws FeedError when the document is not the bank's, or the dollar not per one */
export const parseNbmDollar = (text: string): DollarRates => {
  const { Date: day, Valute } = shaped(readXml(text), currencies).ValCurs[0];
  return ratesByDay(
    Valute.filter(({ CharCode }) => CharCode === "USD").map((each) => ({ day, rate: shaped(each, single).Value })),
  );
};

const info = {
  key: KEY,
  displayName: "National Bank of Moldova",
  license: "undocumented",
  role: "informational",
  intervalMs: BANK_INTERVAL_MS,
  freshForMs: REFERENCE_FRESH_MS,
  required: false,
  publisher: "National Bank of Moldova",
  origin: "lbma",
  url: "https://www.bnm.md/en/official_exchange_rates",
  terms: "Public data of a central bank; redistribution not established.",
  moves: false,
} as const;

export const nbm: Feed = {
  info,
  kind: "reference",
  sources: [info],
  baseUrl: "https://www.bnm.md",
  fetch: async (context) => {
    const query = `date=${dayFirst(context.nowMs, ".")}&get_xml=1`;
    const get = async (path: string) => textOf(await context.get({ path: `${path}?${query}`, expect: "xml" }));
    const prices = parseNbmMetals(await get("/en/official_metal_rates"));
    const dollars = parseNbmDollar(await get("/en/official_exchange_rates"));
    return newestOf(context, [...UNITS.keys()], references(KEY, prices, dollars));
  },
};
