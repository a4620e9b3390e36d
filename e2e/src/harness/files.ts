/** The repository's path, temporary folders and files of a test, and the files services create in them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TierName } from "@assay/contract";

export const ROOT = resolve(import.meta.dirname, "../../..");

export interface Folder {
  readonly path: string;
  /** Writes a file into it; returns its path. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

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

export type TierKeys = Readonly<Record<TierName, string>>;

/** The demo keys a service wrote to its folder. */
export const readDemoKeys = async (dataDir: string): Promise<TierKeys> =>
  // The service's own file, in the documented format.
  JSON.parse(await readFile(join(dataDir, "demo-keys.json"), "utf8")) as TierKeys;
