/** The error of replay files: it names the file, the line and the field. */

/** An invalid replay file. Prevents startup. */
export class ReplayError extends Error {
  readonly file: string;
  /** 1-based; null when the file as a whole is at fault. */
  readonly line: number | null;
  /** Dotted path of the field; null when the line as a whole is at fault. */
  readonly field: string | null;

  constructor(file: string, line: number | null, field: string | null, what: string, cause?: unknown) {
    const place = [file, line === null ? "" : `line ${line}`, field ?? ""].filter((part) => part !== "").join(", ");
    super(`${place}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = "ReplayError";
    this.file = file;
    this.line = line;
    this.field = field;
  }
}
