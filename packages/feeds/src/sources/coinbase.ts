/** Coinbase's PAX Gold ticker in USD; one token is one troy ounce. Trades around the clock; informational only. */
import type { SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readJson, textOf } from "../payload/body.ts";
import { figureText, isoInstant, middle } from "../payload/published.ts";

const KEY = "coinbase";
const INTERVAL_MS = 30_000;

const body = z.object({ bid: figureText, ask: figureText, time: isoInstant });

/**
 * The midpoint of the book, dated by the last trade.
 * @throws FeedError when the body is not a ticker
 */
export const parseCoinbase = (text: string): SpotObservation => {
  const { bid, ask, time } = readJson(text, body);
  return { kind: "spot", source: KEY, instrument: "XAU-USD-SPOT", price: middle(bid, ask), bid, ask, observedAtMs: time };
};

const info = {
  key: KEY,
  displayName: "Coinbase PAXG",
  license: "personal-use-only",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "Coinbase",
  origin: "coinbase",
  url: "https://exchange.coinbase.com",
  terms: "No key; market-data terms restrict benchmarks and redistribution. A token is not spot gold.",
  // A thin book may not change for minutes.
  moves: false,
  instruments: ["XAU-USD-SPOT"],
} as const;

export const coinbase: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://api.exchange.coinbase.com",
  fetch: async (context) => [parseCoinbase(textOf(await context.get({ path: "/products/PAXG-USD/ticker", expect: "json" })))],
};
