/** Archives: their names, and the port to a store of them. */
import { ARCHIVE_FORMATS, type ArchiveFormat, BAR_SYMBOLS, type BarSymbol, INTERVALS, type Interval } from "@assay/contract";

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

const FILE = /^([1-9][0-9]{3})\.(parquet|csv)$/;

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
  if (!symbol || !interval || !format || rest.length > 0) return null;
  return { symbol, interval, year: Number(year), format };
};

export const CONTENT_TYPES: Readonly<Record<ArchiveFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  parquet: "application/vnd.apache.parquet",
};

export interface ArchiveFacts {
  readonly rows: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** The revision of the store that its bars are a snapshot of; left out where the file has no place for it. */
  readonly revision?: number | undefined;
}

/** A store of archives: a folder or a bucket. */
export interface ArchiveStore {
  /** For logs; contains no secret. */
  readonly description: string;
  /**
   * An id of the stored version, different from any earlier or later one; null when there is no archive.
   * @throws ArchivesUnreachableError or ArchivesFailedError
   */
  versionOf(name: ArchiveName): Promise<string | null>;
  /**
   * Replaces an archive atomically: readers see the old one or the new one, never a part of either.
   * @param replaced the version stored before the archive's bars were read; when omitted, any version is replaced
   * @throws ArchiveReplacedError when another archive has been stored since
   * @throws ArchivesUnreachableError or ArchivesFailedError; the previous archive is then unchanged
   */
  put(name: ArchiveName, bytes: Uint8Array, facts: ArchiveFacts, replaced?: string | null): Promise<void>;
  /**
   * Checks whether an archive exists.
   * @throws ArchivesUnreachableError or ArchivesFailedError
   */
  has(name: ArchiveName): Promise<boolean>;
}

/** Another process stored an archive in the meantime, possibly from newer bars; it was not overwritten. */
export class ArchiveReplacedError extends Error {
  override readonly name = "ArchiveReplacedError";
  constructor() {
    super("another writer has replaced the archive in the meantime");
  }
}

/** The store does not answer; a retry may succeed. */
export class ArchivesUnreachableError extends Error {
  override readonly name = "ArchivesUnreachableError";
}

/** The store answered with a failure: no permission, no space, no such bucket, a broken disk. */
export class ArchivesFailedError extends Error {
  override readonly name = "ArchivesFailedError";
}
