/** What stops an import: one line for the operator. */

/** A refusal whose message is meant to be read as it is. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** A refused row, by the file as the operator wrote it, its line and its field. */
export const rowError = (file: string, line: number, field: string, message: string): ImportError =>
  new ImportError(`${file} line ${line}, ${field}: ${message}`);
