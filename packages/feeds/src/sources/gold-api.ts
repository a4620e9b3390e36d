/**
 * gold-api.com: gold and silver per troy ounce and copper per pound, in USD, without bid or ask; and the current day's close of
 * platinum and palladium, which are used only for ratios.
 */
import { DAY_MS } from "@assay/contract";
import type { BarObservation, DailySymbol, Instrument, SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import type { Feed } from "../feed/feed.ts";
import { freshFor } from "../feed/freshness.ts";
import { readParts } from "../feed/read-parts.ts";
import { readJson, textOf } from "../payload/json.ts";
import { figureNumber, isoInstant } from "../payload/published.ts";

const KEY = "gold-api";
/** The publisher asks for caching of 30 seconds. */
const INTERVAL_MS = 30_000;
const INSTRUMENT_OF = { XAU: "XAU-USD-SPOT", XAG: "XAG-USD-SPOT", HG: "HG-USD-SPOT" } as const satisfies Record<
  string,
  Instrument
>;
/** Read once a day, for the last price. */
const DAILY_SYMBOL_OF = { XPT: "XPT-USD-SPOT", XPD: "XPD-USD-SPOT" } as const satisfies Record<string, DailySymbol>;
const SYMBOLS = ["XAU", "XAG", "HG", "XPT", "XPD"] as const;
type GoldApiSymbol = (typeof SYMBOLS)[number];
type SpotSymbol = keyof typeof INSTRUMENT_OF;

const body = z.object({
  symbol: z.string(),
  currency: z.literal("USD", "must be USD"),
  price: figureNumber,
  updatedAt: isoInstant,
});

const read = (text: string, symbol: GoldApiSymbol): { readonly price: string; readonly observedAtMs: number } => {
  const { symbol: answered, price, updatedAt } = readJson(text, body);
  if (answered !== symbol) throw new FeedError("payload", `unexpected symbol: must be ${symbol}`);
  return { price, observedAtMs: updatedAt };
};

/** @throws FeedError when the body is not a price of that symbol */
export const parseGoldApi = (text: string, symbol: SpotSymbol): SpotObservation => ({
  kind: "spot",
  source: KEY,
  instrument: INSTRUMENT_OF[symbol],
  ...read(text, symbol),
});

/**
 * The UTC day of a price as a bar: only its close so far is known, so open, high, low and close are equal.
 * @throws FeedError when the body is not a price of that symbol
 */
export const parseGoldApiDay = (text: string, symbol: keyof typeof DAILY_SYMBOL_OF): BarObservation => {
  const { price, observedAtMs } = read(text, symbol);
  const barStartMs = Math.floor(observedAtMs / DAY_MS) * DAY_MS;
  const prices = { open: price, high: price, low: price, close: price, volume: null };
  return { kind: "bar", source: KEY, symbol: DAILY_SYMBOL_OF[symbol], interval: "1d", barStartMs, ...prices, observedAtMs };
};

const isDaily = (symbol: GoldApiSymbol): symbol is keyof typeof DAILY_SYMBOL_OF => symbol in DAILY_SYMBOL_OF;

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
  instruments: Object.values(INSTRUMENT_OF),
} as const;

/** The feed. */
export const goldApi: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://api.gold-api.com",
  fetch: (context) =>
    readParts(context, SYMBOLS, String, async (symbol) => {
      const text = textOf(await context.get({ path: `/price/${symbol}`, expect: "json" }));
      return isDaily(symbol) ? parseGoldApiDay(text, symbol) : parseGoldApi(text, symbol);
    }),
};
