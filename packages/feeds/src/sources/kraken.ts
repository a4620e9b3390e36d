/** Kraken's PAX Gold ticker in USD; one token is one troy ounce. It trades around the clock and stands beside the price only. */
import type { SpotObservation } from "@assay/pricing";
import { z } from "zod";
import type { Feed } from "../feed.ts";
import { FeedError } from "../feed-error.ts";
import { freshFor } from "../freshness.ts";
import { readJson, textOf } from "../payload/json.ts";
import { figureText, middle } from "../payload/published.ts";

const KEY = "kraken";
const INTERVAL_MS = 30_000;

/** The first of several figures: the price, before its sizes. */
const leading = z
  .array(z.unknown())
  .transform((row) => row[0])
  .pipe(figureText);
const body = z.object({
  error: z.array(z.string()).max(0, "the venue reports an error"),
  result: z.record(z.string(), z.object({ a: leading, b: leading })),
});

/**
 * The middle of the book; the last trade may be hours old.
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
  url: "https://www.kraken.com",
  terms: "No key; market-data terms restrict benchmarks and redistribution. A token is not spot gold.",
  // A thin book may stand still for minutes.
  moves: false,
} as const;

/** The feed. */
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
