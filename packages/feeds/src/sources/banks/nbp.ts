/** Narodowy Bank Polski: gold of fineness 1000 in zloty per gram, and its middle rate of the dollar. */
import { utcDay } from "@assay/pricing";
import { z } from "zod";
import { type Feed, REFERENCE_FRESH_MS } from "../../feed/feed.ts";
import { readJson, textOf } from "../../payload/body.ts";
import { figureNumber } from "../../payload/published.ts";
import {
  BANK_INTERVAL_MS,
  type DollarRates,
  type GramPrice,
  latestRange,
  newestOf,
  ratesByDay,
  references,
} from "./reference-days.ts";

const KEY = "nbp";
const day = z.iso.date("must be a date");
const gold = z.array(z.object({ data: day, cena: figureNumber }));
const dollar = z.object({
  table: z.literal("A", "must be A"),
  code: z.literal("USD", "must be USD"),
  rates: z.array(z.object({ effectiveDate: day, mid: figureNumber })),
});

/** @throws FeedError when the body is not the bank's */
export const parseNbpGold = (text: string): readonly GramPrice[] =>
  readJson(text, gold).map(({ data, cena }) => ({ day: data, metal: "XAU", perGram: cena }));

/** @throws FeedError when the body is not the bank's, or of another currency */
export const parseNbpDollar = (text: string): DollarRates =>
  ratesByDay(readJson(text, dollar).rates.map(({ effectiveDate, mid }) => ({ day: effectiveDate, rate: mid })));

const info = {
  key: KEY,
  displayName: "Narodowy Bank Polski",
  license: "undocumented",
  role: "informational",
  intervalMs: BANK_INTERVAL_MS,
  freshForMs: REFERENCE_FRESH_MS,
  required: false,
  publisher: "Narodowy Bank Polski",
  origin: "lbma",
  url: "https://api.nbp.pl/en.html",
  terms: "A central bank's open API without a key; redistribution not established.",
  moves: false,
} as const;

/** The feed. The dollar's rate of a day follows a few hours after its gold price. */
export const nbp: Feed = {
  info,
  kind: "reference",
  sources: [info],
  baseUrl: "https://api.nbp.pl",
  fetch: async (context) => {
    const { fromMs, toMs } = latestRange(context.nowMs);
    const range = `${utcDay(fromMs)}/${utcDay(toMs)}/?format=json`;
    const get = async (path: string) => textOf(await context.get({ path: `${path}/${range}`, expect: "json" }));
    const prices = parseNbpGold(await get("/api/cenyzlota"));
    const dollars = parseNbpDollar(await get("/api/exchangerates/rates/a/usd"));
    return newestOf(context, ["XAU"], references(KEY, prices, dollars));
  },
};
