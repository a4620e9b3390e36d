/** What Assay asks of the place where archives lie. */
import type { ArchiveName } from "./archive-name.ts";

/** What is known of an archive beside its bytes. */
export interface ArchiveFacts {
  readonly rows: number;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A place for archives: a folder, or a bucket. */
export interface ArchiveStore {
  /** For logs; it holds no secret. */
  readonly description: string;
  /**
   * What lies there now, told apart from whatever lies there before and after; null when nothing does.
   * @throws ArchivesUnreachableError or ArchivesFailedError
   */
  versionOf(name: ArchiveName): Promise<string | null>;
  /**
   * Puts an archive in the place of the one before. Readers see the old one or the new one, never a part of either.
   * @param replaced the version that lay there before the archive's bars were read; whatever lies there when left out
   * @throws ArchiveReplacedError when another one has been put there since
   * @throws ArchivesUnreachableError or ArchivesFailedError; then the one before is still there
   */
  put(name: ArchiveName, bytes: Uint8Array, facts: ArchiveFacts, replaced?: string | null): Promise<void>;
  /**
   * Looks whether an archive is there.
   * @throws ArchivesUnreachableError or ArchivesFailedError
   */
  has(name: ArchiveName): Promise<boolean>;
}

/** Somebody else has put an archive there meanwhile, from bars that may be newer; it was left alone. */
export class ArchiveReplacedError extends Error {
  override readonly name = "ArchiveReplacedError";
  constructor() {
    super("another writer has replaced the archive meanwhile");
  }
}

/** The place does not answer; another try may succeed. */
export class ArchivesUnreachableError extends Error {
  override readonly name = "ArchivesUnreachableError";
}

/** The place answered that it cannot: no permission, no space, no such bucket, a broken disk. */
export class ArchivesFailedError extends Error {
  override readonly name = "ArchivesFailedError";
}
