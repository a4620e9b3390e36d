/** What the central banks' daily prices have in common: a price per gram goes with the dollar's rate of the same day. */
import { DAY_MS } from "@assay/contract";
import { type CalendarDay, type ReferenceObservation, utcDay } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { FeedContext, TimeRange } from "../../feed/feed.ts";

/** Published once per business day; read often enough to have it the same day. */
export const BANK_INTERVAL_MS = 3 * 3_600_000;

/** A day's price of a metal, in the bank's currency. */
export interface GramPrice {
  readonly day: CalendarDay;
  readonly metal: string;
  readonly perGram: string;
}

/** The dollar in the bank's currency, by day. */
export type DollarRates = ReadonlyMap<CalendarDay, string>;

/** A day written 24.04.2026. */
export const pointedDay = z
  .string("must be a date")
  .regex(/^[0-9]{2}\.[0-9]{2}\.[0-9]{4}$/, "must be a date such as 24.04.2026")
  .transform((text) => text.split(".").toReversed().join("-"))
  .pipe(z.iso.date("must be a date"));

/** An XML element that holds a text once. */
export const only = <S extends z.ZodType>(schema: S) => z.tuple([schema]).transform(([value]) => value);

/** The last two weeks: longer than any run of holidays but Russia's in January, when nothing new is published. */
export const latestRange = (nowMs: number): TimeRange => ({ fromMs: nowMs - 14 * DAY_MS, toMs: nowMs });

/**
 * Rates by day.
 * @throws FeedError when a day occurs twice
 */
export const ratesByDay = (rates: readonly { readonly day: CalendarDay; readonly rate: string }[]): DollarRates => {
  const byDay = new Map(rates.map(({ day, rate }) => [day, rate]));
  if (byDay.size < rates.length) throw new FeedError("payload", "two rates of the dollar for one day");
  return byDay;
};

/**
 * Each price with the dollar of its day; days without one are left out, as the bank may publish it later.
 * @param marketDay the day whose market a price is of, where that is not the day it is published for
 * @throws FeedError when a metal has two prices for one day
 */
export const references = (
  source: string,
  prices: readonly GramPrice[],
  dollars: DollarRates,
  marketDay: (day: CalendarDay) => CalendarDay = (day) => day,
): ReferenceObservation[] => {
  if (new Set(prices.map(({ day, metal }) => `${day} ${metal}`)).size < prices.length)
    throw new FeedError("payload", "two prices of a metal for one day");
  return prices.flatMap(({ day, metal, perGram }) => {
    const perUsd = dollars.get(day);
    if (perUsd === undefined) return [];
    return [{ kind: "reference", source, metal, perGram, perUsd, observedAtMs: Date.parse(`${marketDay(day)}T00:00:00Z`) }];
  });
};

/**
 * The newest reference of each metal; a metal without one is reported, the others are given.
 * @throws FeedError when there is none at all
 */
export const newestOf = (
  context: Pick<FeedContext, "partial">,
  metals: readonly string[],
  found: readonly ReferenceObservation[],
): readonly ReferenceObservation[] => {
  if (found.length === 0) throw new FeedError("payload", "no price with a rate of the dollar of the same day");
  return metals.flatMap((metal) => {
    const [newest] = found.filter((each) => each.metal === metal).sort((a, b) => b.observedAtMs - a.observedAtMs);
    if (!newest) context.partial(new FeedError("payload", `${metal}: no price`));
    return newest ?? [];
  });
};

/** A day written with the day first, as in 24/04/2026. */
export const dayFirst = (atMs: number, separator: string): string => utcDay(atMs).split("-").toReversed().join(separator);
