/** The National Bank of Romania: gold in lei per gram, in one document with its reference rates. */
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, REFERENCE_FRESH_MS } from "../../feed/feed.ts";
import { readXml, shaped, textOf } from "../../payload/body.ts";
import { figureText } from "../../payload/published.ts";
import { BANK_INTERVAL_MS, newestOf, only, ratesByDay, references } from "./reference-days.ts";

const KEY = "bnr";

const body = z.object({
  DataSet: z.tuple([
    z.object({
      Body: z.tuple([
        z.object({
          OrigCurrency: only(z.literal("RON", "must be RON")),
          Cube: z.array(
            z.object({
              date: z.iso.date("must be a date"),
              Rate: z.array(z.object({ currency: z.string(), multiplier: z.string().optional(), "#text": z.string() })),
            }),
          ),
        }),
      ]),
    }),
  ]),
});
/** A rate of one unit: for some currencies the bank states that of a hundred. */
const single = z.object({ multiplier: z.literal("1", "must be 1").optional(), "#text": figureText });

/** @throws FeedError when the document is not the bank's, or gold or the dollar is missing or not of one unit */
export const parseBnr = (text: string) => {
  const cubes = shaped(readXml(text), body).DataSet[0].Body[0].Cube.map(({ date: day, Rate }) => {
    const of = (code: string): string => {
      const [rate, another] = Rate.filter(({ currency }) => currency === code);
      if (!rate || another) throw new FeedError("payload", `${code} must be there once on ${day}`);
      return shaped(rate, single)["#text"];
    };
    return { day, perGram: of("XAU"), rate: of("USD") };
  });
  const prices = cubes.map(({ day, perGram }) => ({ day, metal: "XAU", perGram }));
  return references(KEY, prices, ratesByDay(cubes));
};

const info = {
  key: KEY,
  displayName: "National Bank of Romania",
  license: "undocumented",
  role: "informational",
  intervalMs: BANK_INTERVAL_MS,
  freshForMs: REFERENCE_FRESH_MS,
  required: false,
  publisher: "National Bank of Romania",
  origin: "lbma",
  url: "https://www.bnr.ro/en/561-exchange-rates",
  terms: "A file the bank offers for programs, to be stored locally; redistribution not established.",
  moves: false,
} as const;

/** The feed. Under www the bank answers with its home page. */
export const bnr: Feed = {
  info,
  kind: "reference",
  sources: [info],
  baseUrl: "https://curs.bnr.ro",
  fetch: async (context) =>
    newestOf(context, ["XAU"], parseBnr(textOf(await context.get({ path: "/nbrfxrates.xml", expect: "xml" })))),
};
