/** What a form of file is: its columns, and how it writes time. */
import type { WrittenTime } from "./wall-time.ts";

/** The formats that can be named, each of one or more forms. */
export const IMPORT_FORMATS = ["assay", "stooq", "metatrader", "dukascopy", "histdata"] as const;
/** A format. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** What a column holds. `ticks` stands in for a volume where there is none; `other` is passed over. */
export type Role = "date" | "time" | "open" | "high" | "low" | "close" | "volume" | "ticks" | "is_closed" | "other";

/** One form of file. */
export interface Form {
  readonly format: ImportFormat;
  /** A row, with the header above it where the form has one: for the help, and for tests. */
  readonly example: string;
  readonly delimiter: "," | ";" | "\t";
  /** The header's names in lower case, in any order; or, where there is no header, the columns in theirs. */
  readonly columns: Readonly<Record<string, Role>> | readonly Role[];
  /** The date as the form writes it, followed by the time after a blank where that has its own column. */
  readonly time: RegExp;
  /** Reads what the pattern found. */
  readonly readTime: (found: RegExpExecArray) => WrittenTime;
  /** The zone of its times unless the operator names another; null where the form itself settles it. */
  readonly zone: string | null;
  /** Whether the publisher writes 0 where it knows no volume. */
  readonly isZeroVolumeNone: boolean;
}

/** The names of open, high, low and close where they are just that. */
export const OHLC = { open: "open", high: "high", low: "low", close: "close" } as const;
