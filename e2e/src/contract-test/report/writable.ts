/** The report's file: whether it can be written is known before the run, not after it. */
import { access, open, unlink, writeFile } from "node:fs/promises";

/** A file that cannot be written; the message is one line. */
export class CannotWrite extends Error {
  override readonly name = "CannotWrite";
}

const told = async (path: string, use: () => Promise<void>): Promise<void> => {
  try {
    await use();
  } catch (error) {
    throw new CannotWrite(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Makes sure that a file can be written; what stands in it stays, and where there was none there is none after.
 * @throws CannotWrite when it cannot
 */
export const ensureWritable = (path: string): Promise<void> =>
  told(path, async () => {
    const isOld = await exists(path);
    // Opened and not just asked about: only that finds folders, read-only disks and parents that are files.
    const file = await open(path, "a");
    await file.close();
    if (!isOld) await unlink(path);
  });

/**
 * Writes a report.
 * @throws CannotWrite when it cannot be written any more
 */
export const writeReport = (path: string, text: string): Promise<void> => told(path, () => writeFile(path, text));
