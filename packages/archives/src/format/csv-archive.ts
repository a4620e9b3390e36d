/** An archive as CSV: a line of names, then a line a bar, figures exactly as on the wire. */
import type { ArchiveBatch } from "./archive-batch.ts";

/** Names of the columns, in order. */
export const ARCHIVE_COLUMNS = ["bar_start", "open", "high", "low", "close", "volume", "is_closed"] as const;

/** Puts a CSV archive together. */
export class CsvArchive {
  readonly #parts: Uint8Array[] = [Buffer.from(`${ARCHIVE_COLUMNS.join(",")}\n`)];

  /** Adds bars behind those before. */
  add({ csv }: ArchiveBatch): void {
    this.#parts.push(csv);
  }

  /** The whole file. */
  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
