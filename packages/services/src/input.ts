/** What a schema alone cannot judge of parameters: instants, days and ids; and how one is refused. */
import { DAY_MS, type FailWith } from "@assay/contract";
import { z } from "zod";

const date = z.iso.date();
/** Digits that are not zero below the third of a second's fraction, which `Date` cuts off. */
const BELOW_MILLISECOND = /\.\d{3}\d*[1-9]/;
const dateTime = z.union([
  z.iso.datetime({ offset: true, local: true }),
  z.iso.datetime({ offset: true, local: true, precision: -1 }), // minutes, without seconds
]);

/**
 * A parsed instant: the first millisecond not before it, and the last not after it. A bare date means the whole UTC day. They
 * differ by one for an instant between two milliseconds, which starts after the one that it follows.
 */
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
  if (Number.isNaN(ms)) return null;
  return { startMs: BELOW_MILLISECOND.test(text) ? ms + 1 : ms, endMs: ms };
};

/** Whether nothing of a window is left: it begins after it ends. An instant is not after itself, nor a day. */
export const isReversed = (from: InstantSpan, to: InstantSpan): boolean => Math.min(from.startMs, from.endMs) > to.endMs;

/** A `+` in a URL means a blank, which then stands before the offset. */
const BLANK_OFFSET = /^\d{4}-\d{2}-\d{2}T\S+ \d{2}:?\d{2}$/;

/** What is wrong with the text of an instant that cannot be parsed. */
export const instantFault = (text: string): string =>
  BLANK_OFFSET.test(text)
    ? "has a blank where its offset has a +; in a URL, + is written %2B"
    : "must be an ISO-8601 date or date-time, for example 2026-11-01T00:00:00Z";

/**
 * Parses a calendar day, YYYY-MM-DD.
 * @returns its UTC midnight, epoch milliseconds; null when there is no such day
 */
export const readDay = (text: string): number | null => (date.safeParse(text).success ? Date.parse(`${text}T00:00:00Z`) : null);

export const refuseParameter = (fail: FailWith<"validation_error">, name: string, message: string): never =>
  fail("validation_error", { issues: [{ path: ["query", name], code: "invalid_value", message }] });

/** Every id we generate uses these characters; the store rejects some others as text. */
const ID = /^[\x21-\x7e]+$/;

export const isId = (text: string): boolean => ID.test(text);
