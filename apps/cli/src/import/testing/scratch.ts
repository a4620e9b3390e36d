/** A suite's temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Files of a suite, removed after it. */
export interface Scratch {
  readonly folder: string;
  /** Writes a file. @returns its path */
  write(name: string, content: string | Uint8Array): string;
  remove(): void;
}

/** Creates the folder. */
export const openScratch = (): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), "assay-import-"));
  return {
    folder,
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The path of a fixture. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
