/** A file to import: raw bytes, decompressed text, and its rows of fields, each of bounded size. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { pipeline as finishPipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { MAX_LINE, SplitError, splitFields, splitLines } from "@assay/contract";
import { ImportError } from "../import-error.ts";

/** The most blank lines in a row. */
const MAX_BLANK_LINES = 1_000;

/**
 * Splits text into rows, one a line; a blank line is one empty field.
 * @param chunks the text, cut anywhere
 * @yields the rows of a chunk
 * @throws SplitError for malformed CSV, and at the first line that exceeds a bound
 */
export async function* splitRows(chunks: AsyncIterable<string>, delimiter: string): AsyncGenerator<readonly string[][]> {
  let carried = "";
  let [lines, blank] = [0, 0];
  const rowOf = (line: string): string[] => {
    lines += 1;
    blank = line === "" ? blank + 1 : 0;
    if (blank > MAX_BLANK_LINES) throw new SplitError(lines, `more than ${MAX_BLANK_LINES} blank lines in a row`);
    return splitFields(line, delimiter, lines);
  };
  for await (const chunk of chunks) {
    const text = carried + chunk;
    // A carriage return at the end may be the first half of a line's end.
    const isCut = text.endsWith("\r");
    const whole = splitLines(isCut ? text.slice(0, -1) : text);
    carried = (whole.pop() ?? "") + (isCut ? "\r" : "");
    const rows = whole.map(rowOf);
    // A line without an end is refused as soon as it is too long, not when all of it is in memory.
    if (carried.length > MAX_LINE) splitFields(carried, delimiter, lines + 1);
    yield rows;
  }
  const last = carried.endsWith("\r") ? carried.slice(0, -1) : carried;
  if (carried !== "") yield [rowOf(last)];
}

/** Enough for a header and a row: more characters than two lines may have. */
const HEAD_LENGTH = 16_384;

/** Compressed files that are not read, by their first bytes in hexadecimal. */
const ARCHIVES: readonly (readonly [start: string, name: string])[] = [
  ["504b0304", "a zip archive"],
  ["28b52ffd", "compressed with zstd"],
  ["fd377a58", "compressed with xz"],
  ["425a68", "compressed with bzip2"],
  ["377abcaf", "a 7z archive"],
];

/** A file's properties, determined before it is read. */
export interface SourceFile {
  /** The path as the operator wrote it, for messages. */
  readonly path: string;
  /** Where it is read: elsewhere when another process sent it. */
  readonly place: string;
  readonly bytes: number;
  readonly isGzip: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
};

/** Explains a read error; any other error is returned unchanged. */
const readable = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (code.startsWith("Z_")) return new ImportError(`${path}: the gzip file is cut short or damaged (${error.message})`);
  const reason = REASONS[code];
  return reason ? new ImportError(`${path}: ${reason}`) : error;
};

/**
 * Inspects a file.
 * @param path its name in messages
 * @throws ImportError when it cannot be read, or cannot be read more than once
 */
export const inspectFile = async (path: string, place: string = path): Promise<SourceFile> => {
  try {
    const { size } = await stat(place).then((found) => {
      if (found.isDirectory()) throw new ImportError(`${path}: it is a folder`);
      if (!found.isFile()) throw new ImportError(`${path}: not a regular file; it has to be read more than once`);
      return found;
    });
    const handle = await open(place);
    const start = Buffer.alloc(4);
    await handle.read(start, 0, 4, 0).finally(() => handle.close());
    const archive = ARCHIVES.find(([bytes]) => start.toString("hex").startsWith(bytes));
    if (archive) throw new ImportError(`${path}: ${archive[1]}; unpack it first`);
    return { path, place, bytes: size, isGzip: start[0] === 0x1f && start[1] === 0x8b };
  } catch (error) {
    throw readable(path, error);
  }
};

/** SHA-256 of a file's bytes, in hexadecimal. */
export const digestOf = async (file: SourceFile): Promise<string> => {
  const hash = createHash("sha256");
  try {
    await finishPipeline(createReadStream(file.place), hash);
  } catch (error) {
    throw readable(file.path, error);
  }
  return hash.digest("hex");
};

interface OpenFile {
  /** Its decompressed text, in pieces. */
  readonly text: AsyncGenerator<string>;
  /** Explains an error of the text. */
  translate(error: unknown): unknown;
  /** The digest of all bytes read, once the text has ended. */
  digest(): string;
  close(): void;
}

/** Splits bytes at even positions and swaps each pair: UTF-16BE becomes UTF-16LE. */
const swapper = (): ((bytes: Buffer) => Buffer) => {
  let odd = Buffer.alloc(0);
  return (bytes) => {
    const all = Buffer.concat([odd, bytes]);
    odd = all.subarray(all.length - (all.length % 2));
    return all.subarray(0, all.length - odd.length).swap16();
  };
};

/** Decodes UTF-8, or UTF-16 of either order with its byte order mark. */
async function* decode(stream: Readable): AsyncGenerator<string> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // no encoding is set
  let start = Buffer.alloc(0);
  let next = await chunks.next();
  // A mark has up to three bytes, which may come one at a time.
  for (; !next.done && start.length < 3; next = await chunks.next()) start = Buffer.concat([start, next.value]);
  const mark = start.toString("hex", 0, 2);
  const decoder = new StringDecoder(mark === "fffe" || mark === "feff" ? "utf16le" : "utf8");
  const ordered = mark === "feff" ? swapper() : (bytes: Buffer) => bytes;
  const text = decoder.write(ordered(start));
  yield text.startsWith("\ufeff") ? text.slice(1) : text;
  for (; !next.done; next = await chunks.next()) yield decoder.write(ordered(next.value));
  yield decoder.end();
}

/**
 * Opens a file for reading from its start.
 * @param onBytes called with the number of bytes read since the last call
 */
export const openFile = (file: SourceFile, onBytes: (bytes: number) => void = () => {}): OpenFile => {
  const hash = createHash("sha256");
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  // Errors of every stream reach the reader of the last one.
  const heardByReader = (): void => {};
  pipeline(createReadStream(file.place), counted, heardByReader);
  const stream = file.isGzip ? pipeline(counted, createGunzip(), heardByReader) : counted;
  return {
    text: decode(stream),
    translate: (error) => readable(file.path, error),
    digest: () => hash.digest("hex"),
    close: () => void stream.destroy(),
  };
};

export const headOf = async (file: SourceFile): Promise<string> => {
  let head = "";
  const { text, translate, close } = openFile(file);
  try {
    for await (const part of text) {
      head += part;
      if (head.length >= HEAD_LENGTH) break;
    }
  } catch (error) {
    throw translate(error);
  } finally {
    close();
  }
  return head.slice(0, HEAD_LENGTH);
};
