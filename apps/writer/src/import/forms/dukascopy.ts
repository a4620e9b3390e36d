/** Dukascopy's exports: from its site in GMT or local time, and dukascopy-node's in epoch milliseconds. */
import { type Form, OHLC } from "../form.ts";
import { offsetMsOf, wallMsOf } from "../wall-time.ts";

const COMMON = { format: "dukascopy", delimiter: ",", zone: null, isZeroVolumeNone: false } as const;

const GMT: Form = {
  ...COMMON,
  example: "Gmt time,Open,High,Low,Close,Volume\n15.05.2025 07:35:00.000,3145.505,3146.625,3145.175,3146.495,0.1032",
  columns: { "gmt time": "date", ...OHLC, volume: "volume" },
  time: /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?$/,
  readTime: ([, day, month, year, hour, minute, second, ms]) => ({
    wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
    offsetMs: 0,
    isDay: false,
  }),
};

const LOCAL: Form = {
  ...COMMON,
  example: "Local time,Open,High,Low,Close,Volume\n15.05.2025 09:35:00.000 GMT+0200,3145.505,3146.625,3145.175,3146.495,0.1032",
  columns: { "local time": "date", ...OHLC, volume: "volume" },
  time: /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))? (GMT[+-]\d{4})$/,
  readTime: ([, day, month, year, hour, minute, second, ms, offset = ""]) => ({
    wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
    offsetMs: offsetMsOf(offset) ?? Number.NaN,
    isDay: false,
  }),
};

const EPOCH: Form = {
  ...COMMON,
  example: "timestamp,open,high,low,close,volume\n1747294500000,3145.505,3146.625,3145.175,3146.495,0.1032",
  columns: { timestamp: "date", ...OHLC, volume: "volume" },
  // Epoch seconds have ten digits, and are somebody else's.
  time: /^\d{11,14}$/,
  readTime: ([text]) => ({ wallMs: Number(text), offsetMs: 0, isDay: false }),
};

/** All of them. */
export const DUKASCOPY_FORMS: readonly Form[] = [GMT, LOCAL, EPOCH];
