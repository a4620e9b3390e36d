/** Folders and files of a test's own, and what services leave in them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TierName } from "@assay/contract";

/** A folder that is removed at the end. */
export interface Folder {
  readonly path: string;
  /** Writes a file into it; the file's path. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

/** A folder of its own under the system's temporary one. */
export const temporaryFolder = async (): Promise<Folder> => {
  const path = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  return {
    path,
    write: async (name, text) => {
      const file = join(path, name);
      await writeFile(file, text);
      return file;
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
};

/** One key per tier. */
export type TierKeys = Readonly<Record<TierName, string>>;

/** The demo keys a service left in its folder. */
export const readDemoKeys = async (dataDir: string): Promise<TierKeys> =>
  // The service's own file, in the form of the operator's page.
  JSON.parse(await readFile(join(dataDir, "demo-keys.json"), "utf8")) as TierKeys;
