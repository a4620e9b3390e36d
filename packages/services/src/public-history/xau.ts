/** GET /v1/public/xau-history: a year of daily gold closes, the same bytes for everyone within an hour. */
import {
  type AssayContract,
  DAY_MS,
  DELAY_MS,
  Encoded,
  formatTimestamp,
  HOUR_MS,
  type OutputOf,
  type Verb,
} from "@assay/contract";
import { readBars } from "@assay/db";
import { presentPrice } from "@assay/pricing";
import { after } from "../after.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { Editions } from "../editions.ts";
import { dayOf } from "../input/instant.ts";

type Route = AssayContract["publicHistory"]["xau"];
const DAYS = 365;

/** Reads the year's closes as of the hour's start. */
const yearUntil = async (store: ServiceDeps["store"], hourMs: number): Promise<OutputOf<Route>> => {
  const lastStartMs = hourMs - DELAY_MS - DAY_MS;
  const toDayMs = Math.floor(lastStartMs / DAY_MS) * DAY_MS;
  const fromDayMs = toDayMs - (DAYS - 1) * DAY_MS;
  const bars = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1d", fromMs: fromDayMs, toMs: toDayMs, limit: DAYS });
  const series = bars
    .filter((bar) => bar.isClosed)
    .map((bar) => ({ date: dayOf(bar.barStartMs), close: presentPrice(bar.close) }));
  return {
    symbol: "XAU-USD-SPOT",
    quote_currency: "USD",
    unit: "troy_ounce",
    interval: "1d",
    from: dayOf(fromDayMs),
    to: dayOf(toDayMs),
    as_of: formatTimestamp(new Date(hourMs)),
    series,
    meta: { count: series.length },
  };
};

/** Serves the hour's edition; the first request makes it. */
export const xauPublicHistory = ({ store, log }: Pick<ServiceDeps, "store" | "log">): Verb<Route, VerbContext> => {
  const editions = new Editions({
    lengthMs: HOUR_MS,
    make: (hourMs) => yearUntil(store, hourMs),
    onFailure: (error, requestId) => log.error({ err: error, requestId }, "failed to read the public history"),
  });
  return (_input, { nowMs, requestId }) =>
    after(editions.at(nowMs, requestId), ({ body, etag, endMs }) => {
      // A stale edition is served while the database does not respond.
      const left = Math.ceil((endMs - nowMs) / 1000);
      return new Encoded(body, { etag, cacheControl: left > 0 ? `public, max-age=${left}` : "no-store" });
    });
};
