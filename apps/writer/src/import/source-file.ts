/** A file to import: its bytes as they are, its text with gzip undone. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { pipeline as finishPipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ImportError } from "./import-error.ts";

/** Enough for a header and a row, however long they are. */
const HEAD_BYTES = 16_384;

/** What a file is, found out before it is read. */
export interface SourceFile {
  /** As the operator wrote it. */
  readonly path: string;
  readonly bytes: number;
  readonly isGzip: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

/** Says what a fault of reading means; anything else is left as it is. */
const readable = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (code.startsWith("Z_")) return new ImportError(`${path}: the gzip file is cut short or damaged (${error.message})`);
  const reason = REASONS[code];
  return reason ? new ImportError(`${path}: ${reason}`) : error;
};

/**
 * Looks at a file.
 * @throws ImportError when it cannot be read, or is no file that is read more than once
 */
export const inspectFile = async (path: string): Promise<SourceFile> => {
  try {
    const { size } = await stat(path).then((found) => {
      if (found.isDirectory()) throw new ImportError(`${path}: it is a folder`);
      if (!found.isFile()) throw new ImportError(`${path}: not a regular file; it has to be read more than once`);
      return found;
    });
    const handle = await open(path);
    const start = Buffer.alloc(4);
    await handle.read(start, 0, 4, 0).finally(() => handle.close());
    if (start.toString("latin1", 0, 4) === "PK\u0003\u0004") throw new ImportError(`${path}: a zip archive; unpack it first`);
    return { path, bytes: size, isGzip: start[0] === 0x1f && start[1] === 0x8b };
  } catch (error) {
    throw readable(path, error);
  }
};

/** SHA-256 of a file's bytes, in hexadecimal digits. */
export const digestOf = async (file: SourceFile): Promise<string> => {
  const hash = createHash("sha256");
  try {
    await finishPipeline(createReadStream(file.path), hash);
  } catch (error) {
    throw readable(file.path, error);
  }
  return hash.digest("hex");
};

/** A file being read. */
export interface OpenFile {
  /** Its text, still encoded. */
  readonly stream: Readable;
  /** Says what a fault of the stream means. */
  translate(error: unknown): unknown;
  /** The digest of all bytes read, once the stream has ended. */
  digest(): string;
}

/**
 * Reads a file from its start.
 * @param onBytes hears how many bytes of the file were read since it was last told
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
  // Whoever reads the last of these hears of a fault of any.
  const heardByReader = (): void => {};
  pipeline(createReadStream(file.path), counted, heardByReader);
  return {
    stream: file.isGzip ? pipeline(counted, createGunzip(), heardByReader) : counted,
    translate: (error) => readable(file.path, error),
    digest: () => hash.digest("hex"),
  };
};

/** The first lines of a file. */
export const headOf = async (file: SourceFile): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const { stream, translate } = openFile(file);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (error) {
    throw translate(error);
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD_BYTES);
  const encoding = head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(head);
};
