/** An archive as CSV: a header, then one row per bar, with figures exactly as on the wire. */
import type { ArchiveBatch } from "./archive-batch.ts";

/** Column names, in order. */
export const ARCHIVE_COLUMNS = ["bar_start", "open", "high", "low", "close", "volume", "is_closed"] as const;

/** Builds a CSV archive. */
export class CsvArchive {
  readonly #parts: Uint8Array[] = [Buffer.from(`${ARCHIVE_COLUMNS.join(",")}\n`)];

  /** Appends bars. */
  add({ csv }: ArchiveBatch): void {
    this.#parts.push(csv);
  }

  /** The whole file. */
  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
