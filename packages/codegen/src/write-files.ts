/** Compares generated files with those on disk, and writes the differences. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** Differences between the generated files and the disk. */
export interface Difference {
  readonly path: string;
  readonly kind: "missing" | "changed" | "gone";
}

const unlessMissing = <T>(error: unknown, fallback: T): T => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
  throw error;
};

const textAt = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((error: unknown) => unlessMissing(error, null));

/** Every file below a folder, with paths relative to it. */
const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) =>
    unlessMissing(error, []),
  );
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
};

/**
 * Finds the differences.
 * @param root folder that paths are relative to
 * @param files generated files by path
 * @param folders folders that hold only generated files
 */
export const findDifferences = async (
  root: string,
  files: ReadonlyMap<string, string>,
  folders: readonly string[],
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const [path, text] of files) {
    const standing = await textAt(join(root, path));
    if (standing !== text) differences.push({ path, kind: standing === null ? "missing" : "changed" });
  }
  for (const folder of folders) {
    const strays = (await filesIn(join(root, folder))).map((name) => `${folder}/${name}`).filter((path) => !files.has(path));
    differences.push(...strays.sort().map((path): Difference => ({ path, kind: "gone" })));
  }
  return differences;
};

/** Updates the disk: writes missing and changed files, removes obsolete ones. */
export const settleDifferences = async (
  root: string,
  files: ReadonlyMap<string, string>,
  differences: readonly Difference[],
): Promise<void> => {
  for (const { path } of differences) {
    const target = join(root, path);
    const text = files.get(path);
    if (text === undefined) {
      await rm(target, { recursive: true });
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
};
