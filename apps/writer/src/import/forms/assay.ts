/** Assay's own form, that of its archives. */
import { type Form, OHLC } from "../form.ts";
import { offsetMsOf, wallMsOf } from "../wall-time.ts";

/** ISO 8601 with a zone. */
export const ASSAY_FORMS: readonly Form[] = [
  {
    format: "assay",
    example: "bar_start,open,high,low,close,volume\n2025-05-15T07:35:00Z,3145.50,3146.62,3145.17,3146.49,103",
    delimiter: ",",
    columns: { bar_start: "date", ...OHLC, volume: "volume", is_closed: "is_closed" },
    time: /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3})\d*)?)?(Z|[+-]\d\d(?::?\d\d)?)$/,
    readTime: ([, year, month, day, hour, minute, second, ms, offset = ""]) => ({
      wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
      offsetMs: offsetMsOf(offset) ?? Number.NaN,
      isDay: false,
    }),
    zone: null,
    isZeroVolumeNone: false,
  },
];
