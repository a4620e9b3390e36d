/**
 * gold-api.com: gold, silver, platinum and palladium per troy ounce and copper per pound, in USD, without bid or ask. Of a metal
 * that the catalogue has for ratios only, the current day's close.
 */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { startOfUtcDay } from "@assay/contract";
import type { BarObservation, SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readParts } from "../feed/read-parts.ts";
import { readJson, textOf } from "../payload/body.ts";
import { figureNumber, isoInstant } from "../payload/published.ts";

const KEY = "gold-api";
/** The publisher asks for caching of 30 seconds. */
const INTERVAL_MS = 30_000;
/** The metals it reports. */
const REPORTED = ["XAU", "XAG", "HG", "XPT", "XPD"];
/** Those with a spot price in the running catalogue. */
const SPOT = catalogue.spotMetals.flatMap(({ code }) => (REPORTED.includes(code) ? [code] : []));
/** Those with daily closes only, of which the last price of the day is one. */
const DAILY = catalogue.dailyMetals.flatMap(({ code }) => (REPORTED.includes(code) ? [code] : []));

const body = z.object({
  symbol: z.string(),
  currency: z.literal("USD", "must be USD"),
  price: figureNumber,
  updatedAt: isoInstant,
});

const read = (text: string, symbol: string): { readonly price: string; readonly observedAtMs: number } => {
  const { symbol: answered, price, updatedAt } = readJson(text, body);
  if (answered !== symbol) throw new FeedError("payload", `unexpected symbol: must be ${symbol}`);
  return { price, observedAtMs: updatedAt };
};

/** @throws FeedError when the body is not a price of that symbol */
export const parseGoldApi = (text: string, symbol: string): SpotObservation => ({
  kind: "spot",
  source: KEY,
  instrument: spotSymbol(symbol),
  ...read(text, symbol),
});

/**
 * The UTC day of a price as a bar: only its close so far is known, so open, high, low and close are equal.
 * @throws FeedError when the body is not a price of that symbol
 */
export const parseGoldApiDay = (text: string, symbol: string): BarObservation => {
  const { price, observedAtMs } = read(text, symbol);
  const barStartMs = startOfUtcDay(observedAtMs);
  const prices = { open: price, high: price, low: price, close: price, volume: null };
  return { kind: "bar", source: KEY, symbol: spotSymbol(symbol), interval: "1d", barStartMs, ...prices, observedAtMs };
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
  origin: "gold-api",
  url: "https://gold-api.com",
  terms: "No key and no published limit; silent on redistribution, so the operator decides before serving third parties.",
  moves: true,
  instruments: SPOT.map(spotSymbol),
} as const;

export const goldApi: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://api.gold-api.com",
  fetch: (context) =>
    readParts(context, [...SPOT, ...DAILY], String, async (symbol) => {
      const text = textOf(await context.get({ path: `/price/${symbol}`, expect: "json" }));
      return DAILY.includes(symbol) ? parseGoldApiDay(text, symbol) : parseGoldApi(text, symbol);
    }),
};
