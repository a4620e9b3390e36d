/**
 * Cboe's delayed chains of the funds GLD and SLV, opt-in: 15 minutes late, American options on a share that holds slightly less
 * metal each year, so that a surface from them is a proxy. The terms allow personal use only.
 */
import { type DecimalText, MINUTE_MS, type SurfaceMetal } from "@assay/contract";
import { dec, marketStateAt, NEW_YORK, type OptionsObservation, wallTimeMs } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, freshFor } from "../../feed/feed.ts";
import { readEach, readParts } from "../../feed/read-parts.ts";
import { readJson, shaped, textOf } from "../../payload/body.ts";
import { amountNumber, figureNumber, isPublishedFigure, sideNumber } from "../../payload/published.ts";
import { expiriesOf, type ListedOption } from "./venue-readings.ts";

/** An option, as described by its symbol. */
interface OccOption {
  readonly root: string;
  /** When trading ends: 16:00 in New York. */
  readonly expiresAtMs: number;
  readonly right: "call" | "put";
  /** Exact, in dollars. */
  readonly strike: DecimalText;
}

const SYMBOL = /^([A-Z]{1,5}[0-9]?)([0-9]{2})([0-9]{2})([0-9]{2})([CP])([0-9]{8})$/;
const CLOSE_MS = 16 * 3_600_000;

/**
 * Parses `GLD260925C00400000`: GLD, 25 September 2026, call, 400.000 dollars. A root that ends in a digit belongs to adjusted
 * options, which have another deliverable than the fund.
 * @throws FeedError when it is not such a symbol
 */
export const readOccSymbol = (symbol: string): OccOption => {
  const [, root = "", year, month, day, right, thousandths = "0"] = SYMBOL.exec(symbol) ?? [];
  const expiry = `20${year}-${month}-${day}`;
  const strike = dec(thousandths).div(1_000).toFixed();
  const midnight = new Date(Date.UTC(Number(`20${year}`), Number(month) - 1, Number(day)));
  const isDay = midnight.getUTCMonth() === Number(month) - 1 && midnight.getUTCDate() === Number(day);
  if (!isDay || !isPublishedFigure(strike)) {
    throw new FeedError("payload", "unexpected option: must be a symbol such as GLD260925C00400000");
  }
  return { root, expiresAtMs: wallTimeMs(NEW_YORK, expiry, CLOSE_MS), right: right === "C" ? "call" : "put", strike };
};

const KEY = "cboe";
/** The quotes' delay; polling more often returns nothing new. */
const CHAIN_DELAY_MS = 15 * MINUTE_MS;
/** A chain is 3.5 MB of some 8 000 contracts. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Shares per contract, the unit of volume. */
const SHARES = 100;

interface Fund {
  readonly symbol: "GLD" | "SLV";
  readonly metal: SurfaceMetal;
}

const FUNDS: readonly Fund[] = [
  { symbol: "GLD", metal: "xau" },
  { symbol: "SLV", metal: "xag" },
];

/** New York time, which the text does not state. */
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

/** A price with a size; a size of zero means no quote. */
const side = (price: DecimalText | null, size: DecimalText | null | undefined): DecimalText | null =>
  size && dec(size).isZero() ? null : price;

/** Options of another root were adjusted and have another deliverable. */
const optionOf = (value: unknown, fund: Fund): ListedOption | null => {
  const { option, bid, ask, bid_size, ask_size, volume } = shaped(value, contract);
  const { root, expiresAtMs, right, strike } = readOccSymbol(option);
  if (root !== fund.symbol) return null;
  const shares = volume ? dec(volume).mul(SHARES).toFixed() : null;
  return { expiresAtMs, quote: { right, strike, bid: side(bid, bid_size), ask: side(ask, ask_size), volume: shares } };
};

/** The time of the quotes: the fund's last trade or, without it, the arrival minus the delay. */
const momentOf = (lastTradeMs: number | null | undefined, receivedAtMs: number): number =>
  lastTradeMs && lastTradeMs <= receivedAtMs ? lastTradeMs : receivedAtMs - CHAIN_DELAY_MS;

/**
 * The whole chain of a fund as of the fund's last trade; the reader adds the metal's price at that moment.
 * @throws FeedError when the body is not that fund's chain, is empty, or no option can be parsed
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
  intervalMs: CHAIN_DELAY_MS,
  freshForMs: freshFor(CHAIN_DELAY_MS),
  required: false,
  publisher: "Cboe Global Markets",
  origin: "cboe",
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

/** Whether the funds' options trade: in the hours of the funds. */
const isTrading = (atMs: number): boolean => marketStateAt(atMs, "fund").open;

/** The feed; starts only when named. Outside trading hours there are no two-sided quotes, and it makes no requests. */
export const cboe: Feed = {
  info,
  kind: "options",
  sources: [info],
  baseUrl: "https://cdn.cboe.com",
  fetch: async (context) =>
    // Delayed quotes still arrive after the close; the reading after that is the last of the day.
    isTrading(context.nowMs - CHAIN_DELAY_MS) || isTrading(context.nowMs - 2 * CHAIN_DELAY_MS)
      ? readParts(
          context,
          FUNDS,
          ({ symbol }) => symbol,
          (fund) => read(context, fund),
        )
      : [],
};
