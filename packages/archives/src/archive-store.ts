/** The port to the store of archives. */
import type { ArchiveName } from "./archive-name.ts";

/** Metadata of an archive. */
export interface ArchiveFacts {
  readonly rows: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
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
