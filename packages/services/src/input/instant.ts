/** Parses dates and instants as callers write them. */
import { DAY_MS } from "@assay/contract";
import { z } from "zod";

const date = z.iso.date();
const dateTime = z.union([
  z.iso.datetime({ offset: true, local: true }),
  z.iso.datetime({ offset: true, local: true, precision: -1 }), // minutes, without seconds
]);

/** A parsed instant: its first and last millisecond. A bare date means the whole UTC day. */
export interface InstantSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Parses an ISO-8601 date or date-time; one without an offset is UTC.
 * @returns null when it is malformed, or a day that does not exist
 */
export const readInstant = (text: string): InstantSpan | null => {
  if (date.safeParse(text).success) {
    const startMs = Date.parse(`${text}T00:00:00Z`);
    return { startMs, endMs: startMs + DAY_MS - 1 };
  }
  if (!dateTime.safeParse(text).success) return null;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? null : { startMs: ms, endMs: ms };
};

/**
 * Parses a calendar day, YYYY-MM-DD.
 * @returns its UTC midnight, epoch milliseconds; null when there is no such day
 */
export const readDay = (text: string): number | null => (date.safeParse(text).success ? Date.parse(`${text}T00:00:00Z`) : null);

/** The UTC day of an instant, YYYY-MM-DD. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
