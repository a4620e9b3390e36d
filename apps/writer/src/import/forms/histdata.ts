/** HistData's downloads: times are Eastern Standard Time all year, five hours behind UTC in summer too. */
import type { Form } from "../form.ts";
import { wallMsOf } from "../wall-time.ts";
import { HISTORY_CENTER } from "./metatrader.ts";

/** Its volumes are 0 throughout. */
const COMMON = { format: "histdata", zone: "-05:00", isZeroVolumeNone: true } as const;

/** "Generic ASCII", and "MetaTrader". */
export const HISTDATA_FORMS: readonly Form[] = [
  {
    ...COMMON,
    example: "20250515 073500;3145.500;3146.620;3145.170;3146.490;0",
    delimiter: ";",
    columns: ["date", "open", "high", "low", "close", "volume"],
    time: /^(\d{4})(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)$/,
    readTime: ([, year, month, day, hour, minute, second]) => ({
      wallMs: wallMsOf(year, month, day, hour, minute, second),
      offsetMs: null,
      isDay: false,
    }),
  },
  { ...HISTORY_CENTER, ...COMMON },
];
