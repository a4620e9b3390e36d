/**
 * Yahoo's chart, opt-in: daily closes of dated futures contracts as proxies of their settlements, and daily bars of GLD. Its
 * terms allow personal use only, and it answers only browser-like agents.
 */
import { FUTURES_SYMBOLS, HOUR_MS } from "@assay/contract";
import {
  type BarObservation,
  type CalendarDay,
  dayIn,
  type FuturesContract,
  isBusinessDay,
  lastTradeDay,
  NEW_YORK,
  type SettlementObservation,
  settlementPublisher,
  tradingContracts,
  utcDay,
  wallTimeMs,
} from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { type Feed, type FeedContext, freshFor, type TimeRange } from "../feed/feed.ts";
import { readParts } from "../feed/read-parts.ts";
import { readJson, textOf } from "../payload/body.ts";
import { countNumber, epochSecondsNumber, figureNumber } from "../payload/published.ts";

const KEY = "yahoo-chart";
const INTERVAL_MS = 15 * 60_000;
/** When a day's session has ended, New York time. */
const SESSION_END_MS = 17 * HOUR_MS;
/** The range of each round: enough to see a late correction. */
const RECENT = "range=5d";

/** A contract that has never traded has neither times nor columns. */
const figures = z.array(figureNumber.nullable()).default([]);
const quote = z.object({
  open: figures,
  high: figures,
  low: figures,
  close: figures,
  volume: z.array(countNumber.nullable()).optional(),
});
const result = z.object({
  meta: z.object({
    symbol: z.string(),
    currency: z.literal("USD", "must be USD"),
    dataGranularity: z.literal("1d", "must be 1d").optional(),
  }),
  timestamp: z.array(epochSecondsNumber).default([]),
  indicators: z.object({ quote: z.tuple([quote]) }),
});
const body = z.object({ chart: z.object({ result: z.tuple([result]) }) });

/** One session. */
interface ChartDay {
  readonly day: CalendarDay;
  /** When its session ended, epoch milliseconds. */
  readonly endedAtMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: number | null;
}

/**
 * The sessions of a chart that had ended by then, oldest first; of two bars of one day the later counts, and days without figures
 * or settlement are skipped.
 * @throws FeedError when the body is not a daily chart of that symbol in USD
 */
export const parseChart = (text: string, symbol: string, nowMs: number): readonly ChartDay[] => {
  const [{ meta, timestamp, indicators }] = readJson(text, body).chart.result;
  if (meta.symbol !== symbol) throw new FeedError("payload", `unexpected symbol: must be ${symbol}`);
  const [{ open, high, low, close, volume }] = indicators.quote;
  for (const column of [open, high, low, close, volume ?? timestamp]) {
    if (column.length !== timestamp.length) throw new FeedError("payload", "the chart's columns differ in length");
  }
  const days = new Map<CalendarDay, ChartDay>();
  timestamp.forEach((atMs, index) => {
    const day = dayIn(NEW_YORK, atMs);
    const endedAtMs = wallTimeMs(NEW_YORK, day, SESSION_END_MS);
    const [first, highest, lowest, last] = [open[index], high[index], low[index], close[index]];
    if (!first || !highest || !lowest || !last || endedAtMs > nowMs || !isBusinessDay(day)) return;
    days.set(day, { day, endedAtMs, open: first, high: highest, low: lowest, close: last, volume: volume?.[index] ?? null });
  });
  return [...days.values()].sort((a, b) => a.endedAtMs - b.endedAtMs);
};

/** A day's close as a proxy of a contract's settlement; the chart has no open interest. */
const settlementOf = (contract: FuturesContract, { day, endedAtMs, close, volume }: ChartDay): SettlementObservation => ({
  kind: "settlement",
  source: KEY,
  sourceType: "proxy_daily_close",
  symbol: contract.symbol,
  futuresContract: contract.name,
  settlementDate: day,
  price: close,
  volume,
  openInterest: null,
  observedAtMs: endedAtMs,
});

const barOf = ({ day, endedAtMs, open, high, low, close, volume }: ChartDay): BarObservation => ({
  kind: "bar",
  source: KEY,
  symbol: "GLD",
  interval: "1d",
  barStartMs: Date.parse(`${day}T00:00:00Z`),
  open,
  high,
  low,
  close,
  volume: volume === null ? null : String(volume),
  observedAtMs: endedAtMs,
});

/** The symbols to request: dated contracts, and the fund. */
type Part = FuturesContract | "GLD";

const nameOf = (part: Part): string => (part === "GLD" ? part : `${part.name}.CMX`);

const contracts = (nowMs: number): FuturesContract[] =>
  FUTURES_SYMBOLS.flatMap((symbol) => tradingContracts(symbol, utcDay(nowMs)));

const read = async (context: FeedContext, part: Part, window: string) => {
  const path = `/v8/finance/chart/${nameOf(part)}?${window}&interval=1d`;
  const reply = await context.get({ path, expect: "json", browserLike: true });
  const days = parseChart(textOf(reply), nameOf(part), context.nowMs);
  if (part === "GLD") return days.map(barOf);
  return days.filter(({ day }) => day <= lastTradeDay(part)).map((day) => settlementOf(part, day));
};

const inSeconds = ({ fromMs, toMs }: TimeRange): string =>
  `period1=${Math.floor(fromMs / 1_000)}&period2=${Math.floor(toMs / 1_000)}`;

const info = {
  key: KEY,
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  required: false,
  ...settlementPublisher(KEY),
  origin: "comex",
  terms: "Personal, non-commercial use; no redistribution. Not part of FEEDS=live.",
  moves: false,
} as const;

/** The feed; its backfill gives a year of each contract and every day of GLD. */
export const yahooChart: Feed = {
  info,
  kind: "settlement",
  sources: [info],
  baseUrl: "https://query1.finance.yahoo.com",
  fetch: (context) =>
    readParts(context, [...contracts(context.nowMs), "GLD" as const], nameOf, (part) => read(context, part, RECENT)),
  closesOf: ["GLD"],
  backfill: (context, range) =>
    readParts(context, [...contracts(context.nowMs), "GLD" as const], nameOf, (part) =>
      read(context, part, part === "GLD" ? inSeconds(range) : "range=1y"),
    ),
};
