/** Polymarket's monthly events on the exchange's settlements of gold and silver, found by their slugs. */
import { MINUTE_MS, type SurfaceMetal } from "@assay/contract";
import { businessDayFromEnd, NEW_YORK, wallTimeMs } from "@assay/pricing";

/**
 * What an event's markets ask about the settlement: whether it is above a strike on the month's final trading day (`over-under`),
 * in which range it is then (`settle`), or whether it reaches a strike on any day before (`hit`).
 */
export const EVENT_FORMS = ["over-under", "settle", "hit"] as const;
/** One of these forms. */
export type EventForm = (typeof EVENT_FORMS)[number];

/** A possible event. */
export interface MonthlyEvent {
  readonly slug: string;
  readonly form: EventForm;
  readonly metal: SurfaceMetal;
  /** What settles it: the active month's settlement. */
  readonly reference: string;
  /** When the month's final trading day settles. */
  readonly expiresAtMs: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The current month and those after it: events are created up to half a year ahead. */
const MONTHS_AHEAD = 7;

interface Product {
  readonly code: "gc" | "si";
  readonly metal: SurfaceMetal;
  /** When the exchange settles it, New York time. */
  readonly settledAtMs: number;
}

const PRODUCTS: readonly Product[] = [
  { code: "gc", metal: "xau", settledAtMs: (13 * 60 + 30) * MINUTE_MS },
  { code: "si", metal: "xag", settledAtMs: (13 * 60 + 25) * MINUTE_MS },
];

/**
 * Every event that may be open, soonest first.
 * @param nowMs epoch milliseconds; events that have ended by then are omitted
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
