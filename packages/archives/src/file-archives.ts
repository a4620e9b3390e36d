/** Archives in a folder: stored one file each, and opened for sending. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parquetMetadataAsync } from "hyparquet";
import {
  type ArchiveFacts,
  type ArchiveName,
  ArchiveReplacedError,
  type ArchiveStore,
  ArchivesFailedError,
  objectPath,
} from "./archive-store.ts";
import { REVISION_KEY } from "./formats.ts";

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

const failed = (error: unknown): never => {
  if (error instanceof ArchiveReplacedError) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const words =
    code === "ENOSPC" || code === "EDQUOT" ? "there is no space left for archives" : "failed to access the archive folder";
  throw new ArchivesFailedError(`${words} (${code})`, { cause: error });
};

/** The temporary file an archive is written to, in the same folder so that a rename replaces the archive. */
const unfinishedPath = (path: string): string => join(dirname(path), `.${basename(path)}.${randomUUID()}.unfinished`);

/** A killed writer leaves its temporary file behind; as there is only one writer, any existing one is an orphan. */
const sweep = async (path: string): Promise<void> => {
  const prefix = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix) && name.endsWith(".unfinished")) await rm(join(dirname(path), name), { force: true });
  }
};

const flush = async (file: FileHandle): Promise<void> => {
  await file.sync();
  await file.close();
};

/** Makes the rename survive a power loss; some file systems cannot open a folder, and do not need this. */
const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
};

/** Every replacement is a new file, so inode, time and size identify a version. */
const versionOf = async (path: string): Promise<string | null> => {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true });
    return `${ino}-${mtimeNs}-${size}`;
  } catch (error) {
    return isMissing(error) ? null : failed(error);
  }
};

/** Archives are for holders of a link, not for every user of the machine. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Creates the folders, and closes permissions that are too open; a folder of another owner is unchanged. */
const makeFolders = async (directory: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(directory, PRIVATE_FOLDER).catch(() => undefined);
};

const write = async (directory: string, path: string, bytes: Uint8Array, replaced: string | null | undefined): Promise<void> => {
  await makeFolders(directory, dirname(path));
  await sweep(path);
  const unfinished = unfinishedPath(path);
  const file = await open(unfinished, "wx", PRIVATE_FILE);
  try {
    await file.writeFile(bytes);
    await flush(file);
    if (replaced !== undefined && (await versionOf(path)) !== replaced) throw new ArchiveReplacedError();
    await rename(unfinished, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
  await flushFolder(dirname(path));
};

export const archiveFile = (directory: string, name: ArchiveName): string => join(directory, objectPath(name));

/** Stores archives in a folder, each in a file of its own name. */
export const fileArchives = (directory: string): ArchiveStore => ({
  description: `the folder ${directory}`,
  versionOf: (name) => versionOf(archiveFile(directory, name)),
  put: (name, bytes, _facts, replaced) => write(directory, archiveFile(directory, name), bytes, replaced).catch(failed),
  has: async (name) => {
    try {
      return (await stat(archiveFile(directory, name))).isFile();
    } catch (error) {
      return isMissing(error) ? false : failed(error);
    }
  },
});

/**
 * Reads the number of rows and the revision from a Parquet file's footer.
 * @param bytes the length of the file
 * @param read reads a range, end exclusive
 */
const footerOfParquet = async (
  bytes: number,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<Pick<ArchiveFacts, "rows" | "revision">> => {
  const slice = (start: number, end = bytes): Promise<ArrayBuffer> => read(start, end);
  const { num_rows: rows, key_value_metadata: noted = [] } = await parquetMetadataAsync({ byteLength: bytes, slice });
  const revision = noted.find(({ key }) => key === REVISION_KEY)?.value;
  return { rows: Number(rows), ...(revision === undefined ? {} : { revision: Number(revision) }) };
};

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
  return { sha256: hash.digest("hex"), ...(format === "csv" ? { rows: lines - 1 } : await footerOfParquet(bytes, read)) };
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
