/** The report's file: makes sure before the run that it can be written. */
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
 * Makes sure that a file can be written; existing content is kept, and a file that did not exist is not left behind.
 * @throws CannotWrite when it cannot
 */
export const ensureWritable = (path: string): Promise<void> =>
  told(path, async () => {
    const isOld = await exists(path);
    // Opened, not just checked for access: only that detects folders, read-only disks and parents that are files.
    const file = await open(path, "a");
    await file.close();
    if (!isOld) await unlink(path);
  });

/**
 * Writes a report.
 * @throws CannotWrite when it can no longer be written
 */
export const writeReport = (path: string, text: string): Promise<void> => told(path, () => writeFile(path, text));
