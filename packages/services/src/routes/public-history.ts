/** GET /v1/public/xau-history: a year of daily gold closes, the same bytes for everyone within an hour. */
import { type AssayContract, DAY_MS, DELAY_MS, formatTimestamp, HOUR_MS, type OutputOf, type Verb } from "@assay/contract";
import { readBars } from "@assay/db";
import { presentPrice, utcDay } from "@assay/pricing";
import { after } from "../call.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { completeness } from "../market/snapshot.ts";
import { Editions, SharedAnswer } from "../shared-answers.ts";

type Route = AssayContract["publicHistory"]["xau"];
const DAYS = 365;

/** The year's bars as of the hour's start. */
const windowUntil = (hourMs: number) => {
  const toMs = Math.floor((hourMs - DELAY_MS - DAY_MS) / DAY_MS) * DAY_MS;
  return { symbol: "XAU-USD-SPOT", interval: "1d", fromMs: toMs - (DAYS - 1) * DAY_MS, toMs } as const;
};

/** Reads the year's closes as of the hour's start. */
const yearUntil = async ({ store, market }: Pick<ServiceDeps, "store" | "market">, hourMs: number): Promise<OutputOf<Route>> => {
  const window = windowUntil(hourMs);
  const isComplete = market.bars.isComplete(window);
  const bars = await readBars(store, { ...window, limit: DAYS });
  const series = bars
    .filter((bar) => bar.isClosed)
    .map((bar) => ({ date: utcDay(bar.barStartMs), close: presentPrice(bar.close) }));
  return {
    symbol: "XAU-USD-SPOT",
    quote_currency: "USD",
    unit: "troy_ounce",
    interval: "1d",
    from: utcDay(window.fromMs),
    to: utcDay(window.toMs),
    as_of: formatTimestamp(hourMs),
    series,
    meta: { count: series.length, ...completeness(isComplete) },
  };
};

/** Serves the hour's edition; the first request makes it. */
export const xauPublicHistory = ({
  store,
  market,
  log,
}: Pick<ServiceDeps, "store" | "market" | "log">): Verb<Route, VerbContext> => {
  const editions = new Editions({
    lengthMs: HOUR_MS,
    make: (hourMs) => yearUntil({ store, market }, hourMs),
    onFailure: (error, requestId) => log.error({ err: error, requestId }, "failed to read the public history"),
  });
  return (_input, { nowMs, requestId }) =>
    after(editions.at(nowMs, requestId, market.bars.gaps), ({ representations, startMs, endMs }) => {
      // A stale edition is served while the database does not respond, one that lacks days while they are filled in.
      const left = market.bars.isComplete(windowUntil(startMs)) ? Math.ceil((endMs - nowMs) / 1000) : 0;
      return new SharedAnswer(representations, left > 0 ? `public, max-age=${left}` : "no-store");
    });
};
