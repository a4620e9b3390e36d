/** The formats of files: what a form of file is, and the table of all that the import reads. */
import {
  COMPACT,
  DAY_FIRST,
  DAY_FIRST_GMT,
  DAY_FIRST_ZONED,
  DOTTED,
  EPOCH,
  EPOCH_MILLISECONDS,
  EPOCH_SECONDS,
  ISO,
  ISO_ZONED,
  NAMED_MONTHS,
  type TimeForm,
} from "./times.ts";

/** The formats that can be named, each with one or more forms; `csv` is any table with named columns. */
export const IMPORT_FORMATS = ["assay", "stooq", "metatrader", "tradingview", "kaggle", "dukascopy", "histdata", "csv"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export const COLUMNS = ["date", "time", "open", "high", "low", "close", "volume", "is_closed"] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * What a column holds. A `time` without a `date` is the whole instant. `ticks` replaces the volume where there is none; `other`
 * is ignored.
 */
export type Role = Column | "ticks" | "other";

export interface Form {
  readonly format: ImportFormat;
  /** A sample row, below a header if the form has one: for the help, and for tests. */
  readonly example: string;
  readonly delimiters: readonly Delimiter[];
  /** The header's names in lower case, in any order, ignoring other columns; or, without a header, the columns in order. */
  readonly columns: Readonly<Record<string, Role>> | readonly Role[];
  /** A column unique to this form, where it could be mistaken for another. */
  readonly mark?: string;
  readonly times: readonly TimeForm[];
  /** The zone of times that do not state one, as the publisher documents it; null when only the operator knows. */
  readonly zone: string | null;
  /** Whether the publisher writes 0 for an unknown volume. */
  readonly isZeroVolumeNone: boolean;
}

type Names = Readonly<Record<string, Role>>;

const OHLC: Names = { open: "open", high: "high", low: "low", close: "close" };
const USUAL: Names = { date: "date", time: "time", ...OHLC, volume: "volume" };
const VOLUMES: Names = { volume: "volume", tick_volume: "ticks", real_volume: "volume", spread: "other" };
const EXPORTED: Names = {
  "<ticker>": "other",
  "<per>": "other",
  "<date>": "date",
  "<time>": "time",
  "<open>": "open",
  "<high>": "high",
  "<low>": "low",
  "<close>": "close",
  "<tickvol>": "ticks",
  "<vol>": "volume",
  "<spread>": "other",
  "<openint>": "other",
};
const POLISH: Names = {
  data: "date",
  czas: "time",
  otwarcie: "open",
  najwyzszy: "high",
  najnizszy: "low",
  zamkniecie: "close",
  najwyższy: "high",
  najniższy: "low",
  zamknięcie: "close",
  wolumen: "volume",
  lop: "other",
};
/** MetaTrader 4's "History center" format, which HistData also offers. */
const HISTORY_CENTER = {
  example: "2025.05.15,07:35,3145.50,3146.62,3145.17,3146.49,103",
  delimiters: DELIMITERS,
  columns: ["date", "time", "open", "high", "low", "close", "volume"],
  times: [DOTTED],
} as const;

/** Times are the broker's server time. A bar has at least one tick, so a volume of 0 means the broker does not report it. */
const METATRADER = { format: "metatrader", zone: null, isZeroVolumeNone: true } as const;
const STOOQ = { format: "stooq", delimiters: DELIMITERS, zone: null, isZeroVolumeNone: false } as const;
const DUKASCOPY = { format: "dukascopy", delimiters: DELIMITERS, zone: "UTC", isZeroVolumeNone: false } as const;
/** Eastern Standard Time all year, five hours behind UTC even in summer; its volumes are always 0. */
const HISTDATA = { format: "histdata", zone: "-05:00", isZeroVolumeNone: true } as const;

/** All forms; when two match equally, the first is used. */
export const FORMS: readonly Form[] = [
  {
    format: "assay",
    example: "bar_start,open,high,low,close,volume\n2025-05-15T07:35:00Z,3145.50,3146.62,3145.17,3146.49,103",
    delimiters: DELIMITERS,
    columns: { bar_start: "date", ...OHLC, volume: "volume", is_closed: "is_closed" },
    mark: "bar_start",
    times: [ISO_ZONED],
    zone: "UTC",
    isZeroVolumeNone: false,
  },
  {
    ...STOOQ,
    example: "Date,Open,High,Low,Close,Volume\n2025-05-15,3177.15,3240.63,3120.71,3239.67,0",
    columns: { ...USUAL, openint: "other" },
    mark: "date",
    times: [ISO],
  },
  {
    ...STOOQ,
    example: "Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen\n2025-05-15,3177.15,3240.63,3120.71,3239.67,0",
    columns: POLISH,
    mark: "data",
    times: [ISO],
  },
  {
    ...STOOQ,
    example:
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n" +
      "XAUUSD,5,20250515,073500,3145.50,3146.62,3145.17,3146.49,0,0",
    columns: EXPORTED,
    mark: "<date>",
    times: [COMPACT],
  },
  {
    ...METATRADER,
    example: "time,Open,High,Low,Close,Volume\n2025-05-15 07:35:00,3145.5,3146.62,3145.17,3146.49,103",
    delimiters: DELIMITERS,
    columns: { time: "time", ...OHLC, ...VOLUMES },
    mark: "time",
    times: [ISO],
  },
  {
    ...METATRADER,
    example: "Date,Open,High,Low,Close,tick_volume\n2025-05-15 07:35:00,3145.5,3146.62,3145.17,3146.49,103",
    delimiters: DELIMITERS,
    columns: { date: "date", time: "time", ...OHLC, ...VOLUMES },
    mark: "tick_volume",
    times: [ISO, DOTTED],
  },
  {
    ...METATRADER,
    example:
      "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n" +
      "2025.05.15\t07:35:00\t3145.50\t3146.62\t3145.17\t3146.49\t103\t0\t12",
    delimiters: ["\t", ",", ";"],
    columns: EXPORTED,
    mark: "<date>",
    times: [DOTTED],
  },
  { ...METATRADER, ...HISTORY_CENTER },
  {
    format: "tradingview",
    example: "time,open,high,low,close,Volume\n1747294500,3145.5,3146.62,3145.17,3146.49,103",
    delimiters: DELIMITERS,
    columns: { time: "time", ...OHLC, volume: "volume" },
    mark: "time",
    times: [EPOCH_SECONDS, ISO_ZONED],
    zone: "UTC",
    isZeroVolumeNone: false,
  },
  {
    format: "kaggle",
    example: "Date;Open;High;Low;Close;Volume\n2025.05.15 07:35;3145.5;3146.62;3145.17;3146.49;103",
    delimiters: [";", ",", "\t"],
    columns: USUAL,
    mark: "date",
    times: [DOTTED],
    zone: null,
    isZeroVolumeNone: true,
  },
  {
    ...DUKASCOPY,
    example: "Gmt time,Open,High,Low,Close,Volume\n15.05.2025 07:35:00.000,3145.505,3146.625,3145.175,3146.495,0.1032",
    columns: { "gmt time": "date", ...OHLC, volume: "volume" },
    mark: "gmt time",
    times: [DAY_FIRST_GMT],
  },
  {
    ...DUKASCOPY,
    example: "Local time,Open,High,Low,Close,Volume\n15.05.2025 09:35:00.000 GMT+0200,3145.505,3146.625,3145.175,3146.495,0.1032",
    columns: { "local time": "date", ...OHLC, volume: "volume" },
    mark: "local time",
    times: [DAY_FIRST_ZONED],
  },
  {
    ...DUKASCOPY,
    example: "timestamp,open,high,low,close,volume\n1747294500000,3145.505,3146.625,3145.175,3146.495,0.1032",
    columns: { timestamp: "date", ...OHLC, volume: "volume" },
    mark: "timestamp",
    times: [EPOCH_MILLISECONDS],
  },
  {
    ...HISTDATA,
    example: "20250515 073500;3145.500;3146.620;3145.170;3146.490;0",
    delimiters: [";", ","],
    columns: ["date", "open", "high", "low", "close", "volume"],
    times: [COMPACT],
  },
  { ...HISTDATA, ...HISTORY_CENTER },
  {
    format: "csv",
    example: "datetime,open,high,low,close,volume\n2025-05-15 07:35:00+00:00,3145.5,3146.62,3145.17,3146.49,103",
    delimiters: DELIMITERS,
    columns: {
      ...USUAL,
      ...POLISH,
      ...EXPORTED,
      ...VOLUMES,
      datetime: "date",
      observation_date: "date",
      timestamp: "date",
      bar_start: "date",
      "gmt time": "date",
      "local time": "date",
      "open time": "date",
      "date time": "date",
      open_time: "date",
      vol: "volume",
      "vol.": "volume",
      is_closed: "is_closed",
    },
    times: [ISO_ZONED, ISO, DOTTED, DAY_FIRST_ZONED, DAY_FIRST, ...NAMED_MONTHS, EPOCH, COMPACT],
    zone: null,
    isZeroVolumeNone: false,
  },
];
