/** Custom column types: instants as epoch milliseconds, integers that may exceed 32 bits, raw bytes. */
import { shownSecond } from "@assay/contract";
import { customType } from "drizzle-orm/pg-core";

const FORM = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/;

/**
 * Parses a `timestamptz` as PostgreSQL prints it, in any session time zone, without using local time.
 * @param text for example `2026-11-20 14:03:27.125+00`
 * @returns epoch milliseconds
 */
export const parseInstant = (text: string): number => {
  const form = FORM.exec(text);
  const ms = form ? Date.parse(`${form[1]}T${form[2]}${form[3]}${form[4] ?? ":00"}`) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${text}`);
  return ms;
};

/** Formats epoch milliseconds for PostgreSQL. */
export const formatInstant = (ms: number): string => new Date(ms).toISOString();

/** `timestamptz` as epoch milliseconds. */
export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => "timestamp with time zone",
  toDriver: formatInstant,
  fromDriver: parseInstant,
});

/** `timestamptz` as epoch milliseconds, at the second that is shown. */
export const second = customType<{ data: number; driverData: string }>({
  dataType: () => "timestamp with time zone",
  toDriver: (ms) => formatInstant(shownSecond(ms)),
  fromDriver: (text) => shownSecond(parseInstant(text)),
});

/** `bigint` with values below 2^53: sequence numbers, tokens, counts. One driver returns it as text. */
export const count = customType<{ data: number; driverData: string | number | bigint }>({
  dataType: () => "bigint",
  toDriver: (value) => String(value),
  fromDriver: Number,
});

/** `bytea`. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
  // One driver answers a Buffer, which compares and prints otherwise.
  fromDriver: ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
});
