/** A file to import: raw bytes, and decompressed text. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { pipeline as finishPipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ImportError } from "./import-error.ts";

/** Enough for a header and a row, however long they are. */
const HEAD_BYTES = 16_384;

/** A file's properties, determined before it is read. */
export interface SourceFile {
  /** The path as the operator wrote it. */
  readonly path: string;
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
 * @throws ImportError when it cannot be read, or cannot be read more than once
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

/** SHA-256 of a file's bytes, in hexadecimal. */
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
  /** Its decompressed text, not yet decoded. */
  readonly stream: Readable;
  /** Explains an error of the stream. */
  translate(error: unknown): unknown;
  /** The digest of all bytes read, once the stream has ended. */
  digest(): string;
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
