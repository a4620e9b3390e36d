/**
 * Bybit's options on Tether Gold, European and cash-settled in tether, which is treated as the dollar. One token is one troy
 * ounce; its premium or discount to spot gold is accounted for by its own index price.
 */
import type { DecimalText } from "@assay/contract";
import { dec, monthNamed, type OptionsObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, freshFor } from "../../feed/feed.ts";
import { readEach } from "../../feed/read-parts.ts";
import { readJson, shaped, textOf } from "../../payload/body.ts";
import { amountText, countNumber, epochMsNumber, figureText, isPublishedFigure, sideText } from "../../payload/published.ts";
import { expiriesOf, type ListedOption } from "./venue-readings.ts";

const KEY = "bybit";
const INTERVAL_MS = 60_000;
const UNDERLYING = "XAUT";
const PATH = `/v5/market/tickers?category=option&baseCoin=${UNDERLYING}`;
/** Options settle at 08:00 UTC of the day in their symbol. */
const EXPIRY_HOUR_MS = 8 * 3_600_000;
const SYMBOL = /^XAUT-([0-9]{1,2})([A-Z]{3})([0-9]{2})-([0-9]+(?:\.[0-9]+)?)-([CP])(?:-USDT)?$/;

const body = z.object({
  retCode: countNumber.pipe(z.literal(0, "the venue reports an error")),
  time: epochMsNumber,
  result: z.object({ category: z.literal("option", "must be option"), list: z.array(z.unknown()) }),
});
const ticker = z.object({
  symbol: z.string(),
  bid1Price: sideText,
  bid1Size: sideText,
  ask1Price: sideText,
  ask1Size: sideText,
  indexPrice: figureText,
  volume24h: amountText,
});

/** Parses `XAUT-25DEC26-4400-C-USDT`: day, month, year, strike and right. */
const contractOf = (symbol: string): Omit<ListedOption, "quote"> & { strike: DecimalText; right: "call" | "put" } => {
  const [, day = "", month = "", year = "", strike = "", right] = SYMBOL.exec(symbol) ?? [];
  const midnight = new Date(Date.UTC(2000 + Number(year), monthNamed(month) - 1, Number(day)));
  if (monthNamed(month) === 0 || midnight.getUTCDate() !== Number(day) || !isPublishedFigure(strike)) {
    throw new FeedError("payload", "unexpected symbol: must be an option such as XAUT-25DEC26-4400-C-USDT");
  }
  return { expiresAtMs: midnight.getTime() + EXPIRY_HOUR_MS, strike, right: right === "C" ? "call" : "put" };
};

/** A price with a size; one without a size is not a quote. */
const side = (price: DecimalText | null, size: DecimalText | null): DecimalText | null => (size === null ? null : price);

const optionOf = (value: unknown): ListedOption & { readonly indexPrice: DecimalText } => {
  const { symbol, bid1Price, bid1Size, ask1Price, ask1Size, indexPrice, volume24h } = shaped(value, ticker);
  const { expiresAtMs, strike, right } = contractOf(symbol);
  const [bid, ask] = [side(bid1Price, bid1Size), side(ask1Price, ask1Size)];
  return { expiresAtMs, quote: { right, strike, bid, ask, volume: volume24h }, indexPrice };
};

/**
 * The whole chain. The underlying's price is the token's index: the ticker's `underlyingPrice` is each expiry's own forward,
 * which the surface derives itself. The volume covers the last 24 hours.
 * @throws FeedError when the venue reports an error, lists nothing, or nothing can be parsed
 */
export const parseBybit = (text: string, partial: FeedContext["partial"]): OptionsObservation => {
  const { time, result } = readJson(text, body);
  const options = readEach(result.list, "option", optionOf, partial);
  // Every ticker carries the index; the median of all is robust against a faulty one.
  const underlying = options.map(({ indexPrice }) => indexPrice).sort((a, b) => dec(a).cmp(b))[options.length >> 1];
  if (underlying === undefined) throw new FeedError("payload", "unexpected list: must not be empty");
  return {
    kind: "options",
    source: KEY,
    chain: {
      venue: KEY,
      metal: "xau",
      style: "european",
      underlying: UNDERLYING,
      underlyingUsd: underlying,
      expiries: expiriesOf(options),
      retrievedAtMs: time,
    },
    observedAtMs: time,
  };
};

const info = {
  key: KEY,
  displayName: "Bybit XAUT options",
  license: "personal-use-only",
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  alwaysOpen: true,
  required: false,
  publisher: "Bybit",
  origin: "bybit",
  url: "https://www.bybit.com",
  terms:
    "No key; market-data terms restrict benchmarks and redistribution, and some countries are refused. Options on a token, in tether, which is taken for the dollar.",
  moves: false,
} as const;

export const bybit: Feed = {
  info,
  kind: "options",
  sources: [info],
  baseUrl: "https://api.bybit.com",
  fetch: async (context) => [parseBybit(textOf(await context.get({ path: PATH, expect: "json" })), context.partial)],
};
