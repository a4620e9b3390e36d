/** Stooq's CSV: days, or days and times in a column of their own. */
import { type Form, OHLC } from "../form.ts";
import { wallMsOf } from "../wall-time.ts";

/** ISO dates under `Date`. */
export const STOOQ_FORMS: readonly Form[] = [
  {
    format: "stooq",
    example: "Date,Open,High,Low,Close,Volume\n2025-05-15,3177.15,3240.63,3120.71,3239.67,0",
    delimiter: ",",
    columns: { date: "date", time: "time", ...OHLC, volume: "volume", openint: "other" },
    time: /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/,
    readTime: ([, year, month, day, hour, minute, second]) => ({
      wallMs: wallMsOf(year, month, day, hour, minute, second),
      offsetMs: null,
      isDay: hour === undefined,
    }),
    zone: "UTC",
    isZeroVolumeNone: false,
  },
];
