/** The definition of a file form: its columns, and its time format. */
import type { TimeForm } from "./time-form.ts";

/** The formats that can be named, each with one or more forms; `csv` is any table with named columns. */
export const IMPORT_FORMATS = ["assay", "stooq", "metatrader", "tradingview", "kaggle", "dukascopy", "histdata", "csv"] as const;
/** A format. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The delimiters detected automatically. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
/** A delimiter; the operator may name any character. */
export type Delimiter = string;

/** The columns that can be mapped. */
export const COLUMNS = ["date", "time", "open", "high", "low", "close", "volume", "is_closed"] as const;
/** A column. */
export type Column = (typeof COLUMNS)[number];

/**
 * What a column holds. A `time` without a `date` is the whole instant. `ticks` replaces the volume where there is none; `other`
 * is ignored.
 */
export type Role = Column | "ticks" | "other";

/** One form of file. */
export interface Form {
  readonly format: ImportFormat;
  /** A sample row, below a header if the form has one: for the help, and for tests. */
  readonly example: string;
  readonly delimiters: readonly Delimiter[];
  /**
   * The header's names in lower case, in any order, ignoring other columns; or, without a header, the columns in order.
   */
  readonly columns: Readonly<Record<string, Role>> | readonly Role[];
  /** A column unique to this form, where it could be mistaken for another. */
  readonly mark?: string;
  /** The time formats it may use. */
  readonly times: readonly TimeForm[];
  /** The zone of times that do not state one, as the publisher documents it; null when only the operator knows. */
  readonly zone: string | null;
  /** Whether the publisher writes 0 for an unknown volume. */
  readonly isZeroVolumeNone: boolean;
}
