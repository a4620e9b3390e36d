/** Column types of our own: instants as epoch milliseconds, whole numbers that may outgrow 32 bits, raw bytes. */
import { customType } from "drizzle-orm/pg-core";

const FORM = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/;

/**
 * Reads a `timestamptz` as PostgreSQL prints it, whatever the session's zone, without passing through local time.
 * @param text for example `2026-11-20 14:03:27.125+00`
 * @returns epoch milliseconds
 */
export const parseInstant = (text: string): number => {
  const form = FORM.exec(text);
  const ms = form ? Date.parse(`${form[1]}T${form[2]}${form[3]}${form[4] ?? ":00"}`) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${text}`);
  return ms;
};

/** Writes epoch milliseconds as PostgreSQL reads them. */
export const formatInstant = (ms: number): string => new Date(ms).toISOString();

/** `timestamptz`, epoch milliseconds to us. */
export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => "timestamp with time zone",
  toDriver: formatInstant,
  fromDriver: parseInstant,
});

/** `bigint` whose values stay below 2^53: sequence numbers, tokens, counts. One driver hands it over as text. */
export const count = customType<{ data: number; driverData: string | number | bigint }>({
  dataType: () => "bigint",
  toDriver: (value) => String(value),
  fromDriver: Number,
});

/** `bytea`. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });
