/** The zone of files whose times do not state one: a fixed UTC offset, or a place with daylight saving time. */
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { tzOffset } from "@date-fns/tz";
import { ImportError } from "../import-error.ts";
import type { Layout } from "./layout.ts";
import { offsetMsOf } from "./times.ts";

export interface Zone {
  /** As the operator wrote it. */
  readonly name: string;
  /**
   * The instant at which clocks in the zone show a reading.
   * @param afterMs for an hour that occurs twice, the first of the two instants later than this
   * @returns epoch milliseconds; NaN when clocks skipped the reading
   */
  instantOf(wallMs: number, afterMs: number): number;
}

const fixedZone = (name: string, offsetMs: number): Zone => ({ name, instantOf: (wallMs) => wallMs - offsetMs });

const isPlace = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /[a-z]/i.test(name);
  } catch {
    return false;
  }
};

/** A place's clock; its rules are looked up once per day of the file, since that takes microseconds. */
const placeZone = (name: string, place: string, shiftMs: number): Zone => {
  const offsetMs = (atMs: number): number => tzOffset(place, new Date(atMs)) * MINUTE_MS + shiftMs;
  const reach = 15 * HOUR_MS + Math.abs(shiftMs);
  let dayMs = Number.NaN;
  /** The offsets in force during the day, earlier first; one except around a clock change. */
  let offsets: readonly number[] = [];
  return {
    name,
    instantOf: (wallMs, afterMs) => {
      const startMs = startOfUtcDay(wallMs);
      if (startMs !== dayMs) {
        dayMs = startMs;
        const before = offsetMs(startMs - reach);
        const after = offsetMs(startMs + DAY_MS + reach);
        offsets = before === after ? [before] : [before, after];
      }
      const [only] = offsets;
      if (offsets.length === 1 && only !== undefined) return wallMs - only;
      const instants = offsets
        .map((offset) => ({ offset, atMs: wallMs - offset }))
        .filter(({ offset, atMs }) => offsetMs(atMs) === offset)
        .map(({ atMs }) => atMs)
        .sort((a, b) => a - b);
      return instants.find((atMs) => atMs > afterMs) ?? instants[0] ?? Number.NaN;
    },
  };
};

/**
 * Parses a zone.
 * @param text an IANA name, a fixed offset such as `+02:00`, or a name and an offset: `America/New_York+07:00` is the clock of
 * brokers whose day ends at 17:00 in New York
 * @returns null when there is no such zone
 */
export const readZone = (text: string): Zone | null => {
  const offsetMs = offsetMsOf(text);
  if (offsetMs !== null) return fixedZone(text, offsetMs);
  if (isPlace(text)) return placeZone(text, text, 0);
  const [, place = "", shift = ""] = /^(.+?)([+-]\d\d:\d\d)$/.exec(text) ?? [];
  const shiftMs = offsetMsOf(shift);
  return shiftMs !== null && isPlace(place) ? placeZone(text, place, shiftMs) : null;
};

const BROKERS =
  "America/New_York+07:00 for most gold brokers, whose day ends at 17:00 in New York; Europe/Athens or +02:00 for others";

/** The error asking for a zone when neither the file nor its publisher states one, with the usual zones of the format. */
export const zoneNeeded = (file: string, { form }: Layout): ImportError => {
  const usual = form.format === "stooq" ? "Europe/Warsaw, or UTC" : `${BROKERS}; UTC for what a program exported in UTC`;
  return new ImportError(
    `${file}: its times have no time zone, and the ${form.format} format does not define one; pass --timezone: ${usual}`,
  );
};
