/** Archives in a folder. */
import { randomUUID } from "node:crypto";
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ArchiveName, objectPath } from "../archive-name.ts";
import { ArchiveReplacedError, type ArchiveStore, ArchivesFailedError } from "../archive-store.ts";

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

/** The file path of an archive. */
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
