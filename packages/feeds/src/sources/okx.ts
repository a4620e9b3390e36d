/** OKX's Tether Gold ticker in tether; one token is one troy ounce. Trades around the clock; informational only. */
import type { SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readJson, textOf } from "../payload/body.ts";
import { epochMsText, figureText, middle } from "../payload/published.ts";

const KEY = "okx";
const INTERVAL_MS = 30_000;
const PAIR = "XAUT-USDT";

const body = z.object({
  code: z.literal("0", "the venue reports an error"),
  data: z.array(
    z.object({
      instId: z.literal(PAIR, `must be ${PAIR}`),
      bidPx: figureText,
      askPx: figureText,
      ts: epochMsText,
    }),
  ),
});

/**
 * The midpoint of the book; the last trade may be hours old.
 * @throws FeedError unless there is exactly one ticker of the pair
 */
export const parseOkx = (text: string): SpotObservation => {
  const { data } = readJson(text, body);
  const [ticker] = data;
  if (!ticker || data.length > 1) throw new FeedError("payload", "unexpected data: must be one ticker");
  const { bidPx: bid, askPx: ask, ts } = ticker;
  return { kind: "spot", source: KEY, instrument: "XAU-USD-SPOT", price: middle(bid, ask), bid, ask, observedAtMs: ts };
};

const info = {
  key: KEY,
  displayName: "OKX XAUT/USDT",
  license: "personal-use-only",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "OKX",
  origin: "okx",
  url: "https://www.okx.com",
  terms: "No key; market-data terms restrict benchmarks and redistribution. A token, priced in tether, is not spot gold.",
  // A thin book may not change for minutes.
  moves: false,
  instruments: ["XAU-USD-SPOT"],
} as const;

export const okx: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://www.okx.com",
  fetch: async (context) => [
    parseOkx(textOf(await context.get({ path: `/api/v5/market/ticker?instId=${PAIR}`, expect: "json" }))),
  ],
};
