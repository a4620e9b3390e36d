/** Coinbase's exchange rates: units of each currency per US dollar, updated within the minute. */
import { catalogue } from "@assay/catalogue";
import type { FxObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readJson, textOf } from "../payload/body.ts";
import { figureText } from "../payload/published.ts";

/** Quote currencies, and those of the physical markets that are not quote currencies. */
const TABLE_CURRENCIES: readonly string[] = catalogue.rows.currencies.map(({ code }) => code).sort();

const KEY = "coinbase-fx";
const INTERVAL_MS = 60_000;
const FRESH_MS = freshFor(INTERVAL_MS);

const body = z.object({
  data: z.object({
    currency: z.literal("USD", "must be USD"),
    // Some 600 codes, most of them tokens; only currencies that are used are validated.
    rates: z.record(z.string(), z.unknown()),
  }),
});

/**
 * @param receivedAtMs the payload has no time of its own
 * @throws FeedError when a rate is malformed or the euro is missing, on which the fixed rates depend
 */
export const parseCoinbaseFx = (text: string, receivedAtMs: number): FxObservation => {
  const { rates } = readJson(text, body).data;
  const taken: Record<string, string> = {};
  for (const currency of TABLE_CURRENCIES) {
    if (!Object.hasOwn(rates, currency)) continue;
    const rate = figureText.safeParse(rates[currency]);
    if (!rate.success) throw new FeedError("payload", `unexpected data.rates.${currency}: must be a positive figure as text`);
    taken[currency] = rate.data;
  }
  if (taken.EUR === undefined) throw new FeedError("payload", "data.rates.EUR is missing");
  return { kind: "fx", source: KEY, role: "live", base: "USD", rates: taken, observedAtMs: receivedAtMs, freshForMs: FRESH_MS };
};

const info = {
  key: KEY,
  displayName: "Coinbase exchange rates",
  license: "personal-use-only",
  role: "primary",
  intervalMs: INTERVAL_MS,
  freshForMs: FRESH_MS,
  required: true,
  publisher: "Coinbase",
  origin: "coinbase",
  url: "https://docs.cdp.coinbase.com/coinbase-app/docs/api-exchange-rates",
  terms: "No key; Coinbase's market-data terms restrict building benchmarks and redistribution.",
  moves: true,
} as const;

export const coinbaseFx: Feed = {
  info,
  kind: "fx",
  sources: [info],
  baseUrl: "https://api.coinbase.com",
  fetch: async (context) => {
    const reply = await context.get({ path: "/v2/exchange-rates?currency=USD", expect: "json" });
    return [parseCoinbaseFx(textOf(reply), reply.receivedAtMs)];
  },
};
