/** Swissquote's public best bid and offer: gold, silver, platinum and palladium per troy ounce in USD. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import type { Instrument, SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, freshFor } from "../feed/feed.ts";
import { readParts } from "../feed/read-parts.ts";
import { readJson, textOf } from "../payload/body.ts";
import { epochMsNumber, figureNumber, middle } from "../payload/published.ts";

const KEY = "swissquote";
const INTERVAL_MS = 10_000;
/** What it reports of the metals that the running catalogue has a spot price for. */
const METALS = catalogue.spotMetals.flatMap(({ code }) => (["XAU", "XAG", "XPT", "XPD"].includes(code) ? [code] : []));

/** Tightest first. Profiles come in varying order and number, so they are selected by name. */
const PROFILES = ["elite", "prime", "premium", "standard"];

const platform = z.object({
  spreadProfilePrices: z.array(z.object({ spreadProfile: z.string(), bid: figureNumber, ask: figureNumber })),
  ts: epochMsNumber,
});
const body = z.array(platform);

/**
 * The tightest profile of the freshest platform; the price is the midpoint of its bid and ask.
 * @throws FeedError when no platform quotes a known profile
 */
export const parseSwissquote = (text: string, instrument: Instrument): SpotObservation => {
  const quotes = readJson(text, body).flatMap(({ ts, spreadProfilePrices }) =>
    spreadProfilePrices.map(({ spreadProfile, bid, ask }) => ({
      ts,
      bid,
      ask,
      tightness: PROFILES.indexOf(spreadProfile.toLowerCase()),
    })),
  );
  const [best] = quotes.filter((quote) => quote.tightness >= 0).sort((a, b) => b.ts - a.ts || a.tightness - b.tightness);
  if (!best) throw new FeedError("payload", "no platform quotes a known profile");
  const { ts, bid, ask } = best;
  return { kind: "spot", source: KEY, instrument, price: middle(bid, ask), bid, ask, observedAtMs: ts };
};

const info = {
  key: KEY,
  displayName: "Swissquote",
  license: "undocumented",
  role: "primary",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  required: false,
  publisher: "Swissquote Bank SA",
  origin: "swissquote",
  url: "https://www.swissquote.com",
  terms: "A public but undocumented feed; silent on redistribution, may be withdrawn at any time.",
  moves: true,
  instruments: METALS.map(spotSymbol),
} as const;

export const swissquote: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://forex-data-feed.swissquote.com",
  fetch: (context) =>
    readParts(
      context,
      METALS,
      (metal) => metal,
      async (metal) => {
        const path = `/public-quotes/bboquotes/instrument/${metal}/USD`;
        return parseSwissquote(textOf(await context.get({ path, expect: "json" })), spotSymbol(metal));
      },
    ),
};
