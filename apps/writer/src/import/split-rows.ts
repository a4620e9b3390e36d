/** A CSV file's rows as fields: split where nothing is quoted, which is nearly every file of prices, and parsed where something is. */
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

/** Longer than any row; a file without line ends is no CSV. */
const MAX_ROW_BYTES = 4_096;

/** A row that is no CSV. */
export class SplitError extends Error {
  override readonly name = "SplitError";
  /** Where it begins, counted from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`not CSV as it should be (${reason})`);
    this.line = line;
  }
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;

/** What is not plain: quotes, line ends without a line feed, and text that is no UTF-8. */
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
  // Lines are counted by the reader: the parser would copy all it knows for each row to say which one it is at.
  const parser = parse({ delimiter, bom: linesBefore === 0, relax_column_count: true, max_record_size: MAX_ROW_BYTES });
  source.on("error", (error) => parser.destroy(error));
  try {
    // Without `columns` every record is an array.
    for await (const row of source.pipe(parser) as AsyncIterable<string[]>) yield [row];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const [reason = ""] = error.message.split(/[,:]/);
    // The parser's own line is where it gave up, which for a quote is the end of the file.
    throw new SplitError(linesBefore + Number(error.records) + 1, reason);
  }
}

/**
 * Reads rows, a blank line as one empty field.
 * @yields the rows of a stretch of the file
 * @throws SplitError for what is no CSV
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
