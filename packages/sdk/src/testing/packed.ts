/** The package as npm would publish it: built from a copy of its sources, packed, and installed into an empty project. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const INSTALL = fileURLToPath(new URL("../../scripts/install-packed.mjs", import.meta.url));
const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

export interface Project {
  readonly folder: string;
  readonly tarball: string;
  write(path: string, text: string): Promise<void>;
  /** Runs a script of the project with this Node. Throws with its output on failure. */
  node(...args: string[]): Promise<string>;
  /** The same with additional environment variables. */
  nodeWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs the SDK and installs the tarball, without network access.
 * @param lent packages of the repository to link into it
 */
export const installPacked = async (lent: readonly string[] = []): Promise<Project> => {
  const scratch = await mkdtemp(join(tmpdir(), "assay-sdk-"));
  const installed = await run(process.execPath, [INSTALL, scratch, ...lent]);
  const folder = join(scratch, "project");
  const node = async (env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> => {
    const failed = (error: { stdout: string; stderr: string }): never => {
      throw new Error(`${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
    };
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } }).catch(failed);
    return stdout.trimEnd();
  };
  return {
    folder,
    tarball: installed.stdout.trim(),
    write: (path, text) => writeFile(join(folder, path), text),
    node: (...args) => node({}, args),
    nodeWith: (env, ...args) => node(env, args),
    remove: () => rm(scratch, { recursive: true }),
  };
};

/** A program of the repository, by its path from `node_modules`. */
export const programOf = (path: string): string => join(MODULES, path);
