/** An archive of the file store, opened for sending: its bytes, and metadata of exactly these bytes. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ArchiveName } from "../archive-name.ts";
import { type ArchiveFacts, ArchivesFailedError } from "../archive-store.ts";
import { rowsOfParquet } from "../format/parquet-rows.ts";
import { archiveFile } from "./file-archives.ts";

/** An open archive. The caller closes it. */
export interface OpenedArchive extends ArchiveFacts {
  readonly file: FileHandle;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modifiedMs: number;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;
/** Maximum number of files whose metadata is cached: a service with thirty years of every series. */
const MOST_KEPT = 5_000;

const countLines = (chunk: Uint8Array): number => {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
};

const examine = async (file: FileHandle, bytes: number, format: ArchiveName["format"]): Promise<ArchiveFacts> => {
  const hash = createHash("sha256");
  let lines = 0;
  const { fd } = file;
  for await (const chunk of createReadStream("", { fd, autoClose: false, start: 0, highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk);
    if (format === "csv") lines += countLines(chunk);
  }
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    const target = new ArrayBuffer(end - start);
    await file.read(new Uint8Array(target), 0, end - start, start);
    return target;
  };
  // The first line of a CSV is the header.
  return { sha256: hash.digest("hex"), rows: format === "csv" ? lines - 1 : await rowsOfParquet(bytes, read) };
};

/**
 * Opens an archive in a folder. Metadata is computed from the file being sent, once per version: a file replaced during a
 * download is sent to its end with its own metadata.
 * @returns null when there is no archive
 */
export const archiveOpener = (directory: string): ((name: ArchiveName) => Promise<OpenedArchive | null>) => {
  const known = new Map<string, Promise<ArchiveFacts>>();
  const factsOf = (key: string, examined: () => Promise<ArchiveFacts>): Promise<ArchiveFacts> => {
    const kept = known.get(key);
    if (kept) return kept;
    if (known.size >= MOST_KEPT) known.clear();
    const facts = examined();
    known.set(key, facts);
    facts.catch(() => known.delete(key));
    return facts;
  };
  return async (name) => {
    let file: FileHandle;
    try {
      file = await open(archiveFile(directory, name), "r");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw new ArchivesFailedError("an archive cannot be opened", { cause: error });
    }
    try {
      const { ino, size, mtimeMs } = await file.stat();
      const facts = await factsOf(`${ino} ${size} ${mtimeMs}`, () => examine(file, size, name.format));
      return { file, bytes: size, modifiedMs: Math.floor(mtimeMs), ...facts };
    } catch (error) {
      await file.close();
      throw new ArchivesFailedError("an archive cannot be read", { cause: error });
    }
  };
};
