/** gold-api.com: gold and silver per troy ounce and copper per pound, in USD, without a bid or an ask. */
import type { Instrument, SpotObservation } from "@assay/pricing";
import { z } from "zod";
import type { Feed } from "../feed.ts";
import { FeedError } from "../feed-error.ts";
import { freshFor } from "../freshness.ts";
import { readJson, textOf } from "../payload/json.ts";
import { figureNumber, isoInstant } from "../payload/published.ts";
import { readParts } from "../read-parts.ts";

const KEY = "gold-api";
/** The publisher asks to be cached for 30 seconds. */
const INTERVAL_MS = 30_000;
const INSTRUMENT_OF = { XAU: "XAU-USD-SPOT", XAG: "XAG-USD-SPOT", HG: "HG-USD-SPOT" } as const satisfies Record<
  string,
  Instrument
>;
const SYMBOLS = ["XAU", "XAG", "HG"] as const;
type GoldApiSymbol = (typeof SYMBOLS)[number];

const body = z.object({
  symbol: z.string(),
  currency: z.literal("USD", "must be USD"),
  price: figureNumber,
  updatedAt: isoInstant,
});

/** @throws FeedError when the body is not a price of that symbol */
export const parseGoldApi = (text: string, symbol: GoldApiSymbol): SpotObservation => {
  const { symbol: answered, price, updatedAt } = readJson(text, body);
  if (answered !== symbol) throw new FeedError("payload", `unexpected symbol: must be ${symbol}`);
  return { kind: "spot", source: KEY, instrument: INSTRUMENT_OF[symbol], price, observedAtMs: updatedAt };
};

const info = {
  key: KEY,
  displayName: "gold-api.com",
  license: "undocumented",
  role: "primary",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  required: true,
  publisher: "gold-api.com",
  url: "https://gold-api.com",
  terms: "No key and no published limit; silent on redistribution, so the operator decides before serving third parties.",
  moves: true,
} as const;

/** The feed. */
export const goldApi: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://api.gold-api.com",
  fetch: (context) =>
    readParts(context, SYMBOLS, String, async (symbol) =>
      parseGoldApi(textOf(await context.get({ path: `/price/${symbol}`, expect: "json" })), symbol),
    ),
};
