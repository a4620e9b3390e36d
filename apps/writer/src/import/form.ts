/** What a form of file is: its columns, and how it writes time. */
import type { TimeForm } from "./time-form.ts";

/** The formats that can be named, each of one or more forms; `csv` is any table whose header names its columns. */
export const IMPORT_FORMATS = ["assay", "stooq", "metatrader", "tradingview", "kaggle", "dukascopy", "histdata", "csv"] as const;
/** A format. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The delimiters that are recognised. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
/** A delimiter; the operator may name any character. */
export type Delimiter = string;

/** The columns that can be mapped to. */
export const COLUMNS = ["date", "time", "open", "high", "low", "close", "volume", "is_closed"] as const;
/** A column. */
export type Column = (typeof COLUMNS)[number];

/**
 * What a column holds. A `time` without a `date` beside it is the whole instant. `ticks` stands in for a volume where
 * there is none; `other` is passed over.
 */
export type Role = Column | "ticks" | "other";

/** One form of file. */
export interface Form {
  readonly format: ImportFormat;
  /** A row, with the header above it where the form has one: for the help, and for tests. */
  readonly example: string;
  readonly delimiters: readonly Delimiter[];
  /**
   * The header's names in lower case, in any order, columns of other names being passed over; or, where there is no header,
   * the columns in their order.
   */
  readonly columns: Readonly<Record<string, Role>> | readonly Role[];
  /** A column that only this form has, where it could be taken for another without. */
  readonly mark?: string;
  /** How it may write time. */
  readonly times: readonly TimeForm[];
  /** The zone of times that state none, as the publisher documents it; null where nobody knows but the operator. */
  readonly zone: string | null;
  /** Whether the publisher writes 0 where it knows no volume. */
  readonly isZeroVolumeNone: boolean;
}
