/** MetaTrader's exports: times are the broker's server's, and no file says which zone that is. */
import { type Form, OHLC } from "../form.ts";
import { wallMsOf } from "../wall-time.ts";

const readTime: Form["readTime"] = ([, year, month, day, hour, minute, second]) => ({
  wallMs: wallMsOf(year, month, day, hour, minute, second),
  offsetMs: null,
  isDay: hour === undefined,
});

/** A bar is made of at least one tick, so a volume of 0 is one the broker does not report. */
const COMMON = { format: "metatrader", readTime, zone: "UTC", isZeroVolumeNone: true } as const;

const DOTTED = /^(\d{4})\.(\d\d)\.(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Written by programs on top of MetaTrader 5. */
const SCRIPTED: Form = {
  ...COMMON,
  example: "time,Open,High,Low,Close,Volume\n2025-05-15 07:35:00,3145.5,3146.62,3145.17,3146.49,103",
  delimiter: ",",
  columns: { time: "date", ...OHLC, volume: "volume", tick_volume: "ticks", real_volume: "volume", spread: "other" },
  time: /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/,
};

/** MetaTrader 5, "Export bars". */
const EXPORTED: Form = {
  ...COMMON,
  example:
    "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n" +
    "2025.05.15\t07:35:00\t3145.50\t3146.62\t3145.17\t3146.49\t103\t0\t12",
  delimiter: "\t",
  columns: {
    "<date>": "date",
    "<time>": "time",
    "<open>": "open",
    "<high>": "high",
    "<low>": "low",
    "<close>": "close",
    "<tickvol>": "ticks",
    "<vol>": "volume",
    "<spread>": "other",
  },
  time: DOTTED,
};

/** MetaTrader 4, "History center". */
const HISTORY_CENTER: Form = {
  ...COMMON,
  example: "2025.05.15,07:35,3145.50,3146.62,3145.17,3146.49,103",
  delimiter: ",",
  columns: ["date", "time", "open", "high", "low", "close", "volume"],
  time: DOTTED,
};

/** HistData offers this very form too, with its own zone. */
export { HISTORY_CENTER };

/** The same form with another delimiter. */
const delimitedBy = (delimiter: Form["delimiter"], form: Form): Form => ({
  ...form,
  delimiter,
  example: form.example.replaceAll(form.delimiter, delimiter),
});

/** All of them, each with commas or tabs. */
export const METATRADER_FORMS: readonly Form[] = [
  SCRIPTED,
  EXPORTED,
  delimitedBy(",", EXPORTED),
  HISTORY_CENTER,
  delimitedBy("\t", HISTORY_CENTER),
];
