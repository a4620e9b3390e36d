/** GET /v1/public/xau-history: a year of daily gold closes, the same bytes for everyone within an hour. */
import { hash } from "node:crypto";
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
import type { ServiceDeps, VerbContext } from "../context.ts";
import { dayOf } from "../input/instant.ts";

type Route = AssayContract["publicHistory"]["xau"];
const DAYS = 365;

interface Edition {
  readonly hourMs: number;
  readonly body: string;
  readonly etag: string;
}

/** Reads the year's closes as of the hour's start. */
const edit = async (store: ServiceDeps["store"], hourMs: number): Promise<Edition> => {
  const lastStartMs = hourMs - DELAY_MS - DAY_MS;
  const toDayMs = Math.floor(lastStartMs / DAY_MS) * DAY_MS;
  const fromDayMs = toDayMs - (DAYS - 1) * DAY_MS;
  const bars = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1d", fromMs: fromDayMs, toMs: toDayMs, limit: DAYS });
  const series = bars
    .filter((bar) => bar.isClosed)
    .map((bar) => ({ date: dayOf(bar.barStartMs), close: presentPrice(bar.close) }));
  const output: OutputOf<Route> = {
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
  const body = JSON.stringify(output);
  return { hourMs, body, etag: `"${hash("sha256", body).slice(0, 32)}"` };
};

/** Serves the hour's edition; the first request builds it. */
export const xauPublicHistory = ({ store, log }: Pick<ServiceDeps, "store" | "log">): Verb<Route, VerbContext> => {
  let newest: Edition | null = null;
  let making: { readonly hourMs: number; readonly edition: Promise<Edition> } | null = null;

  const editionOf = async (hourMs: number, requestId: string): Promise<Edition> => {
    if (newest?.hourMs === hourMs) return newest;
    if (making?.hourMs !== hourMs) making = { hourMs, edition: edit(store, hourMs) };
    try {
      const made = await making.edition;
      if (newest === null || made.hourMs > newest.hourMs) newest = made;
      return made;
    } catch (error) {
      if (making?.hourMs === hourMs) making = null;
      log.error({ err: error, requestId }, "failed to read the public history");
      return newest ?? Promise.reject(error);
    }
  };

  return async (_input, { nowMs, requestId }) => {
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const edition = await editionOf(hourMs, requestId);
    // A stale edition is served while the database does not respond.
    const left = Math.ceil((hourMs + HOUR_MS - nowMs) / 1000);
    const cacheControl = edition.hourMs === hourMs ? `public, max-age=${left}` : "no-store";
    return new Encoded(edition.body, { etag: edition.etag, cacheControl });
  };
};
