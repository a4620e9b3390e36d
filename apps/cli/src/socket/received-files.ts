/** Files sent to a running service, kept while the command that sent them runs: an import reads each file more than once. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ImportError } from "../import/import-error.ts";
import { stopped } from "./protocol.ts";

/** Private: what operators import may have been paid for. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const uploadsOf = (dataDir: string): string => join(dataDir, "uploads");

/** Where the files of one command are put. */
export const newFolder = (dataDir: string): string => join(uploadsOf(dataDir), randomUUID());

/** Removes what a process that was killed left behind. */
export const removeLeftFiles = (dataDir: string): Promise<void> => rm(uploadsOf(dataDir), { recursive: true, force: true });

/**
 * Refuses files that would fill the disk, which would end the database: their bars need about as much room again.
 * @throws ImportError
 */
const requireRoom = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  if (bytes * 2 <= bavail * bsize) return;
  const [needed, free] = [bytes * 2, bavail * bsize].map((size) => Math.ceil(size / 1_000_000));
  throw new ImportError(
    `the disk of DATA_DIR has ${free} MB free; to import these files into a running service takes ${needed} MB`,
  );
};

/** Cuts files out of a body, one behind the other, in whatever pieces it arrives. */
const cutter = (pieces: AsyncIterator<Buffer>): ((bytes: number) => AsyncGenerator<Buffer>) => {
  let rest: Buffer = Buffer.alloc(0);
  return async function* (bytes) {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const next = await pieces.next();
        if (next.done) throw stopped();
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  };
};

/**
 * Receives files into a folder, which is made for them.
 * @param sizes their sizes, in bytes
 * @param pieces begins with them
 * @returns their paths, in the order in which they were sent
 * @throws ImportError when there is no room for them, or fewer bytes arrive
 */
export const receiveFiles = async (
  folder: string,
  sizes: readonly number[],
  pieces: AsyncIterator<Buffer>,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (sizes.length === 0) return [];
  const cut = cutter(pieces);
  const paths: string[] = [];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    await requireRoom(folder, total);
    for (const size of sizes) {
      const path = join(folder, String(paths.length));
      await pipeline(cut(size), createWriteStream(path, { mode: PRIVATE_FILE }), { signal });
      paths.push(path);
    }
    return paths;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && "syscall" in error)
      throw new ImportError(`the service could not store the files: ${error.message}`);
    throw error;
  }
};
