/** The World Gold Council's chart: one benchmark price of gold per business day, in USD per troy ounce; the council rate. */
import { DAY_MS, startOfUtcDay } from "@assay/contract";
import type { BarObservation, SpotObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { COUNCIL_FRESH_MS, type Feed, type FeedContext, type TimeRange } from "../feed/feed.ts";
import { readJson, textOf } from "../payload/body.ts";
import { epochMsNumber, figureNumber } from "../payload/published.ts";

const KEY = "wgc";
const INTERVAL_MS = 6 * 3_600_000;
/** A window shorter than a run of holidays may be empty. */
const LATEST_WINDOW_DAYS = 14;

const body = z.object({ chartData: z.object({ USD: z.array(z.tuple([epochMsNumber, figureNumber])) }) });

/** One day's price. */
interface CouncilPoint {
  readonly atMs: number;
  readonly price: string;
}

/**
 * The chart's points, oldest first.
 * @throws FeedError when there is none, or two with the same time
 */
export const parseWgc = (text: string): readonly [CouncilPoint, ...CouncilPoint[]] => {
  const points = readJson(text, body).chartData.USD.map(([atMs, price]) => ({ atMs, price }));
  const [first, ...others] = points.sort((a, b) => a.atMs - b.atMs);
  if (!first) throw new FeedError("payload", "the chart is empty");
  if (new Set(points.map((point) => point.atMs)).size < points.length)
    throw new FeedError("payload", "duplicate day in the chart");
  return [first, ...others];
};

/** Whole days in the path, so that all requests of a day use one URL and can be revalidated. */
const chart = async (context: FeedContext, range: TimeRange) => {
  const path = `/api/goldprice/v11/chart/price/usd/oz/${startOfUtcDay(range.fromMs)},${startOfUtcDay(range.toMs) + DAY_MS}`;
  return parseWgc(textOf(await context.get({ path, expect: "json" })));
};

/** A benchmark has no open, high or low: all four equal the close. */
const dailyBar = ({ atMs, price }: CouncilPoint): BarObservation => ({
  kind: "bar",
  source: KEY,
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  barStartMs: startOfUtcDay(atMs),
  open: price,
  high: price,
  low: price,
  close: price,
  volume: null,
  observedAtMs: atMs,
});

const info = {
  key: KEY,
  displayName: "World Gold Council",
  license: "attribution",
  role: "council",
  intervalMs: INTERVAL_MS,
  freshForMs: COUNCIL_FRESH_MS,
  required: false,
  publisher: "World Gold Council",
  origin: "lbma",
  url: "https://www.gold.org/goldhub/data/gold-prices",
  terms: "Benchmark republished by the council; attribution shown, bulk redistribution not established.",
  moves: false,
  instruments: ["XAU-USD-SPOT"],
} as const;

/** The feed; its backfill gives daily closes of complete UTC days. */
export const wgc: Feed = {
  info,
  kind: "spot",
  sources: [info],
  baseUrl: "https://fsapi.gold.org",
  fetch: async (context) => {
    const points = await chart(context, { fromMs: context.nowMs - LATEST_WINDOW_DAYS * DAY_MS, toMs: context.nowMs });
    const { atMs, price } = points.at(-1) ?? points[0];
    return [{ kind: "spot", source: KEY, instrument: "XAU-USD-SPOT", price, observedAtMs: atMs } satisfies SpotObservation];
  },
  closesOf: ["XAU-USD-SPOT"],
  backfill: async (context, range) => {
    const points = await chart(context, range);
    const lastMs = Math.min(range.toMs, startOfUtcDay(context.nowMs) - 1);
    return points.filter(({ atMs }) => atMs >= range.fromMs && atMs <= lastMs).map(dailyBar);
  },
};
