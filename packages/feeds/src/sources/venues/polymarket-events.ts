/** The events Polymarket makes anew each month on the exchange's settlements of gold and silver, by the form of their slugs. */
import type { SurfaceMetal } from "@assay/contract";
import { businessDayFromEnd, NEW_YORK, wallTimeMs } from "@assay/pricing";

/**
 * What an event's markets ask of the settlement: whether it is over a strike on the month's final trading day (`over-under`), in
 * which range it lies then (`settle`), or whether it reaches a strike on any day before (`hit`).
 */
export const EVENT_FORMS = ["over-under", "settle", "hit"] as const;
/** One of them. */
export type EventForm = (typeof EVENT_FORMS)[number];

/** An event there may be. */
export interface MonthlyEvent {
  readonly slug: string;
  readonly form: EventForm;
  readonly metal: SurfaceMetal;
  /** What settles it: the active month's settlement. */
  readonly reference: string;
  /** When the month's final trading day is settled. */
  readonly expiresAtMs: number;
}

const MINUTE_MS = 60_000;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The current month and those after it: events are made up to half a year ahead. */
const MONTHS_AHEAD = 7;

interface Product {
  readonly code: "gc" | "si";
  readonly metal: SurfaceMetal;
  /** When the exchange settles it, by New York's clock. */
  readonly settledAtMs: number;
}

const PRODUCTS: readonly Product[] = [
  { code: "gc", metal: "xau", settledAtMs: (13 * 60 + 30) * MINUTE_MS },
  { code: "si", metal: "xag", settledAtMs: (13 * 60 + 25) * MINUTE_MS },
];

/**
 * Every event that may be open, soonest first.
 * @param nowMs epoch milliseconds; events that are over by then are left out
 */
export const monthlyEvents = (nowMs: number): MonthlyEvent[] => {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS_AHEAD }, (_, ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)))
    .flatMap((month) => {
      const year = month.getUTCFullYear();
      const finalDay = businessDayFromEnd(year, month.getUTCMonth() + 1, 1);
      return PRODUCTS.flatMap(({ code, metal, settledAtMs }) =>
        EVENT_FORMS.map((form) => ({
          slug: `${code}-${form}-${MONTHS[month.getUTCMonth()]}-${year}`,
          form,
          metal,
          reference: `cme:${code.toUpperCase()}-settlement`,
          expiresAtMs: wallTimeMs(NEW_YORK, finalDay, settledAtMs),
        })),
      );
    })
    .filter(({ expiresAtMs }) => expiresAtMs > nowMs);
};
