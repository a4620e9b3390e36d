/** Archive names: one series, one interval, one UTC year, one format. */
import {
  ARCHIVE_FORMATS,
  type ArchiveFormat,
  BAR_SYMBOLS,
  type BarSymbol,
  FIRST_ARCHIVE_YEAR,
  INTERVALS,
  type Interval,
} from "@assay/contract";

/** One archive. */
export interface ArchiveName {
  readonly symbol: BarSymbol;
  readonly interval: Interval;
  readonly year: number;
  readonly format: ArchiveFormat;
}

/** The path of an archive below the root of its store: `XAU-USD-SPOT/1d/2025.parquet`. */
export const objectPath = ({ symbol, interval, year, format }: ArchiveName): string => `${symbol}/${interval}/${year}.${format}`;

/** The file name of a downloaded archive: `XAU-USD-SPOT-1d-2025.parquet`. */
export const downloadName = (name: ArchiveName): string => objectPath(name).replaceAll("/", "-");

const FILE = /^([0-9]{4})\.(parquet|csv)$/;

const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text);

/**
 * Parses the path of an archive. Accepts only what `objectPath` writes, so that no path leads out of the store.
 * @returns null for any other path
 */
export const readObjectPath = (path: string): ArchiveName | null => {
  const [first, second, file = "", ...rest] = path.split("/");
  const symbol = oneOf(BAR_SYMBOLS, first);
  const interval = oneOf(INTERVALS, second);
  const [, year, extension] = FILE.exec(file) ?? [];
  const format = oneOf(ARCHIVE_FORMATS, extension);
  if (!symbol || !interval || !format || rest.length > 0 || Number(year) < FIRST_ARCHIVE_YEAR) return null;
  return { symbol, interval, year: Number(year), format };
};

/** The media type of each format. */
export const CONTENT_TYPES: Readonly<Record<ArchiveFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  parquet: "application/vnd.apache.parquet",
};
