/**
 * Cboe's delayed chains of the funds GLD and SLV, opt-in: a quarter of an hour late, American options on a share that holds a
 * little less metal each year, so that a surface from them is a proxy. Their terms allow personal use alone.
 */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { dec, NEW_YORK, type OptionsObservation, wallTimeMs } from "@assay/pricing";
import { z } from "zod";
import type { Feed, FeedContext } from "../../feed.ts";
import { FeedError } from "../../feed-error.ts";
import { freshFor } from "../../freshness.ts";
import { readJson, shaped, textOf } from "../../payload/json.ts";
import { amountNumber, figureNumber, sideNumber } from "../../payload/published.ts";
import { readParts } from "../../read-parts.ts";
import { expiriesOf, type ListedOption } from "./expiries.ts";
import { readOccSymbol } from "./occ-symbol.ts";
import { readEach } from "./read-each.ts";
import { isUsSession } from "./us-session.ts";

const KEY = "cboe";
const MINUTE_MS = 60_000;
/** Quotes are delayed by so much; asking more often says nothing new. */
const DELAY_MS = 15 * MINUTE_MS;
/** A chain is 3.5 MB of some 8 000 contracts. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Shares in a contract, which is what volume is counted in. */
const SHARES = 100;

/** A fund whose chain is read. */
interface Fund {
  readonly symbol: "GLD" | "SLV";
  readonly metal: SurfaceMetal;
}

const FUNDS: readonly Fund[] = [
  { symbol: "GLD", metal: "xau" },
  { symbol: "SLV", metal: "xag" },
];

/** By New York's clock, which the text does not say. */
const wallTime = z
  .string()
  .regex(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]$/, "must be a time such as 2026-09-23T10:04:58")
  .transform((text) => wallTimeMs(NEW_YORK, text.slice(0, 10), Date.parse(`1970-01-01T${text.slice(11)}Z`)));

const body = z.object({
  data: z.object({
    symbol: z.string(),
    current_price: figureNumber,
    last_trade_time: wallTime.nullish().catch(null),
    options: z.array(z.unknown()),
  }),
});
const contract = z.object({
  option: z.string(),
  bid: sideNumber,
  ask: sideNumber,
  bid_size: amountNumber.nullish(),
  ask_size: amountNumber.nullish(),
  volume: amountNumber.nullish(),
});

/** What somebody stands for; a size of zero is nobody. */
const side = (price: DecimalText | null, size: DecimalText | null | undefined): DecimalText | null =>
  size && dec(size).isZero() ? null : price;

/** Options of another root were adjusted and deliver something else. */
const optionOf = (value: unknown, fund: Fund): ListedOption | null => {
  const { option, bid, ask, bid_size, ask_size, volume } = shaped(value, contract);
  const { root, expiresAtMs, right, strike } = readOccSymbol(option);
  if (root !== fund.symbol) return null;
  const shares = volume ? dec(volume).mul(SHARES).toFixed() : null;
  return { expiresAtMs, quote: { right, strike, bid: side(bid, bid_size), ask: side(ask, ask_size), volume: shares } };
};

/** The moment the quotes are of: the fund's last trade, or without it the delay before they came. */
const momentOf = (lastTradeMs: number | null | undefined, receivedAtMs: number): number =>
  lastTradeMs && lastTradeMs <= receivedAtMs ? lastTradeMs : receivedAtMs - DELAY_MS;

/**
 * The whole chain of a fund, as it stood at the fund's last trade; the price of the metal of that moment is for the reader to add.
 * @throws FeedError when the body is not that fund's chain, is empty, or holds no option that can be read
 */
export const parseCboe = (
  text: string,
  fund: Fund,
  receivedAtMs: number,
  partial: FeedContext["partial"],
): OptionsObservation => {
  const { symbol, current_price, last_trade_time, options } = readJson(text, body).data;
  if (symbol !== fund.symbol) throw new FeedError("payload", `unexpected symbol: must be ${fund.symbol}`);
  const listed = readEach(options, "option", (value) => optionOf(value, fund), partial);
  if (listed.length === 0) throw new FeedError("payload", "unexpected options: must not be empty");
  const atMs = momentOf(last_trade_time, receivedAtMs);
  return {
    kind: "options",
    source: KEY,
    chain: {
      venue: KEY,
      metal: fund.metal,
      style: "american",
      underlying: fund.symbol,
      underlyingUsd: current_price,
      expiries: expiriesOf(listed),
      retrievedAtMs: atMs,
    },
    observedAtMs: atMs,
  };
};

const info = {
  key: KEY,
  displayName: "Cboe delayed quotes",
  license: "personal-use-only",
  role: "informational",
  intervalMs: DELAY_MS,
  freshForMs: freshFor(DELAY_MS),
  required: false,
  publisher: "Cboe Global Markets",
  url: "https://www.cboe.com/delayed_quotes",
  terms:
    "Personal, non-commercial use; automated pulling is prohibited and redistribution reserved, so have Cboe's leave first. Not part of FEEDS=live.",
  moves: false,
} as const;

const read = async (context: FeedContext, fund: Fund): Promise<OptionsObservation> => {
  const path = `/api/global/delayed_quotes/options/${fund.symbol}.json`;
  const reply = await context.get({ path, expect: "json", maxBytes: MAX_BYTES, timeoutMs: MINUTE_MS });
  return parseCboe(textOf(reply), fund, reply.receivedAtMs, context.partial);
};

/** The feed; it starts only when it is named. While no options trade nobody quotes both sides, and it asks for nothing. */
export const cboe: Feed = {
  info,
  kind: "options",
  sources: [info],
  baseUrl: "https://cdn.cboe.com",
  fetch: async (context) =>
    // Delayed quotes go on to come after the close; the next reading after that is the last of the day.
    isUsSession(context.nowMs - DELAY_MS) || isUsSession(context.nowMs - 2 * DELAY_MS)
      ? readParts(
          context,
          FUNDS,
          ({ symbol }) => symbol,
          (fund) => read(context, fund),
        )
      : [],
};
