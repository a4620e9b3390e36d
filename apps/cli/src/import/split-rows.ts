/**
 * Splits a CSV file into rows of fields: by plain splitting when nothing is quoted, as in most price files, else with a parser.
 */
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

/** Longer than any row; a file without line breaks is not CSV. */
const MAX_ROW_BYTES = 4_096;

/** A malformed row. */
export class SplitError extends Error {
  override readonly name = "SplitError";
  /** Its first line, counted from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`not valid CSV (${reason})`);
    this.line = line;
  }
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;

/** What needs the parser: quotes, line breaks without a line feed, and invalid UTF-8. */
const isPlain = (chunk: Uint8Array): boolean =>
  !chunk.includes(QUOTE) && chunk.includes(NEWLINE) && !(chunk[0] === 0xff && chunk[1] === 0xfe);

async function* rest(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

async function* parseRest(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  delimiter: string,
  linesBefore: number,
): AsyncGenerator<readonly string[][]> {
  const source = Readable.from(rest(first, chunks), { objectMode: false });
  // Lines are counted here: the parser would copy its whole state for each row to report one.
  const parser = parse({ delimiter, bom: linesBefore === 0, relax_column_count: true, max_record_size: MAX_ROW_BYTES });
  source.on("error", (error) => parser.destroy(error));
  try {
    // Without `columns` every record is an array.
    for await (const row of source.pipe(parser) as AsyncIterable<string[]>) yield [row];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const [reason = ""] = error.message.split(/[,:]/);
    // The parser reports where it gave up, which for an unclosed quote is the end of the file.
    throw new SplitError(linesBefore + Number(error.records) + 1, reason);
  }
}

/**
 * Splits text into rows; a blank line is one empty field.
 * @yields the rows of a chunk of the file
 * @throws SplitError for malformed CSV
 */
export async function* splitRows(stream: Readable, delimiter: string): AsyncGenerator<readonly string[][]> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // no encoding is set
  let carried: Buffer = Buffer.alloc(0);
  let lineCount = 0;
  const fieldsOf = (line: string): string[] => (line.endsWith("\r") ? line.slice(0, -1) : line).split(delimiter);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const bytes = carried.length === 0 ? next.value : Buffer.concat([carried, next.value]);
    const end = bytes.lastIndexOf(NEWLINE);
    if (!isPlain(bytes) || bytes.length - end > MAX_ROW_BYTES) {
      yield* parseRest(bytes, chunks, delimiter, lineCount);
      return;
    }
    const text = bytes.toString("utf8", 0, end);
    const lines = (lineCount === 0 && text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
    const overlong = lines.findIndex((line) => line.length > MAX_ROW_BYTES);
    if (overlong !== -1) throw new SplitError(lineCount + overlong + 1, "Max Record Size");
    carried = bytes.subarray(end + 1);
    lineCount += lines.length;
    yield lines.map(fieldsOf);
  }
  if (carried.length > 0) yield [fieldsOf(carried.toString("utf8"))];
}
