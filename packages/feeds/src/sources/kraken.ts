/** Kraken's PAX Gold ticker in USD; one token is one troy ounce. Trades around the clock; informational only. */
import type { SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readJson, textOf } from "../payload/body.ts";
import { figureText, middle } from "../payload/published.ts";

const KEY = "kraken";
const INTERVAL_MS = 30_000;

/** The first of several figures: the price, followed by sizes. */
const leading = z
  .array(z.unknown())
  .transform((row) => row[0])
  .pipe(figureText);
const body = z.object({
  error: z.array(z.string()).max(0, "the venue reports an error"),
  result: z.record(z.string(), z.object({ a: leading, b: leading })),
});

/**
 * The midpoint of the book; the last trade may be hours old.
 * @param receivedAtMs the payload has no time of its own
 * @throws FeedError unless exactly one pair of PAX Gold is quoted; its name may differ from the one asked for
 */
export const parseKraken = (text: string, receivedAtMs: number): SpotObservation => {
  const pairs = Object.entries(readJson(text, body).result);
  const [pair] = pairs;
  if (!pair || pairs.length > 1 || !pair[0].includes("PAXG"))
    throw new FeedError("payload", "unexpected result: must be PAXG alone");
  const { a: ask, b: bid } = pair[1];
  return { kind: "spot", source: KEY, instrument: "XAU-USD-SPOT", price: middle(bid, ask), bid, ask, observedAtMs: receivedAtMs };
};

const info = {
  key: KEY,
  displayName: "Kraken PAXG",
  license: "personal-use-only",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "Kraken",
  origin: "kraken",
  url: "https://www.kraken.com",
  terms: "No key; market-data terms restrict benchmarks and redistribution. A token is not spot gold.",
  // A thin book may not change for minutes.
  moves: false,
  instruments: ["XAU-USD-SPOT"],
} as const;

export const kraken: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://api.kraken.com",
  fetch: async (context) => {
    const reply = await context.get({ path: "/0/public/Ticker?pair=PAXGUSD", expect: "json" });
    return [parseKraken(textOf(reply), reply.receivedAtMs)];
  },
};
