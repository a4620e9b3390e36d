/**
 * The Bank of Russia: gold, silver, platinum and palladium in roubles per gram, made from London's spot market. A price is set on
 * one day for the next, and converted by the bank at the dollar of that next day; so its market is the day before its date.
 */
import { DAY_MS } from "@assay/contract";
import { addDays, type ReferenceObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, REFERENCE_FRESH_MS, type TimeRange } from "../../feed/feed.ts";
import { readXml, shaped, textOf } from "../../payload/body.ts";
import { isPublishedFigure } from "../../payload/published.ts";
import {
  BANK_INTERVAL_MS,
  type DollarRates,
  dayFirst,
  type GramPrice,
  latestRange,
  newestOf,
  only,
  pointedDay,
  ratesByDay,
  references,
} from "./reference-days.ts";

const KEY = "cbr";
const METALS = new Map([
  ["1", "XAU"],
  ["2", "XAG"],
  ["3", "XPT"],
  ["4", "XPD"],
]);
/** The metals whose history no other feed has. */
const HISTORY = ["XAG", "XPT", "XPD"];
/** The bank's code of the US dollar. */
const DOLLAR = "R01235";

/** Before this day the prices were discounts and surcharges on London's, and buying and selling differed. */
const FIRST_DAY_MS = Date.UTC(2008, 6, 2);
/** Days of a request for history: about half a megabyte. */
const HISTORY_DAYS = 5 * 365;

/** `12957,47`: a decimal comma, and nothing between thousands. */
const commaFigure = only(
  z
    .string("must be text")
    .regex(/^[0-9]+(,[0-9]+)?$/, "must have a decimal comma")
    .transform((text) => text.replace(",", "."))
    .refine(isPublishedFigure, "must be a positive figure in plain notation"),
);

const metall = z.object({
  Metall: z.tuple([
    z.object({
      Record: z.array(z.object({ Date: pointedDay, Code: z.string(), Buy: commaFigure, Sell: commaFigure })).default([]),
    }),
  ]),
});

const dynamic = z.object({
  ValCurs: z.tuple([
    z.object({
      ID: z.literal(DOLLAR, `must be ${DOLLAR}`),
      Record: z.array(z.object({ Date: pointedDay, Nominal: only(z.literal("1", "must be 1")), Value: commaFigure })).default([]),
    }),
  ]),
});

/** @throws FeedError when the document is not the bank's, or buying and selling differ */
export const parseCbrMetals = (text: string): readonly GramPrice[] =>
  shaped(readXml(text), metall).Metall[0].Record.flatMap(({ Date: day, Code, Buy, Sell }) => {
    const metal = METALS.get(Code);
    if (metal === undefined) return [];
    if (Buy !== Sell) throw new FeedError("payload", `buying and selling differ on ${day}`);
    return [{ day, metal, perGram: Buy }];
  });

/** @throws FeedError when the document is not the bank's, or of another currency */
export const parseCbrDollar = (text: string): DollarRates =>
  ratesByDay(shaped(readXml(text), dynamic).ValCurs[0].Record.map(({ Date: day, Value }) => ({ day, rate: Value })));

const read = async (context: FeedContext, { fromMs, toMs }: TimeRange): Promise<ReferenceObservation[]> => {
  const range = `date_req1=${dayFirst(fromMs, "/")}&date_req2=${dayFirst(toMs, "/")}`;
  const get = async (path: string) => textOf(await context.get({ path, expect: "xml", timeoutMs: 30_000 }));
  const prices = parseCbrMetals(await get(`/scripts/xml_metall.asp?${range}`));
  const dollars = parseCbrDollar(await get(`/scripts/XML_dynamic.asp?${range}&VAL_NM_RQ=${DOLLAR}`));
  return references(KEY, prices, dollars, (day) => addDays(day, -1));
};

/** On a working Saturday the bank repeats Friday's price. */
const isWeekday = ({ observedAtMs }: ReferenceObservation): boolean => ![0, 6].includes(new Date(observedAtMs).getUTCDay());

const info = {
  key: KEY,
  displayName: "Bank of Russia",
  license: "undocumented",
  role: "informational",
  intervalMs: BANK_INTERVAL_MS,
  freshForMs: REFERENCE_FRESH_MS,
  required: false,
  publisher: "Bank of Russia",
  origin: "lbma",
  url: "https://www.cbr.ru/eng/hd_base/metall/",
  terms: "Public data of a central bank; redistribution not established. Sanctions and licences are the operator's matter.",
  moves: false,
} as const;

/** The feed; its backfill gives silver, platinum and palladium since July 2008: gold's history is the council's. */
export const cbr: Feed = {
  info,
  kind: "reference",
  sources: [info],
  baseUrl: "https://www.cbr.ru",
  fetch: async (context) => newestOf(context, [...METALS.values()], await read(context, latestRange(context.nowMs))),
  backfill: async (context, range) => {
    const days: ReferenceObservation[] = [];
    const stepMs = HISTORY_DAYS * DAY_MS;
    for (let fromMs = Math.max(range.fromMs, FIRST_DAY_MS); fromMs <= range.toMs; fromMs += stepMs)
      days.push(...(await read(context, { fromMs, toMs: Math.min(fromMs + stepMs - DAY_MS, range.toMs) })));
    return days.filter((each) => HISTORY.includes(each.metal) && isWeekday(each));
  },
};
