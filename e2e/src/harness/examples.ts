/** The programs of `examples/` in a separate project, with the packed SDK installed. */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Folder, ROOT, temporaryFolder } from "./files.ts";
import { endOf, type Settings, spawnProgram, type Watched } from "./service.ts";

const run = promisify(execFile);
const INSTALL = "packages/sdk/scripts/install-packed.mjs";
const TYPESCRIPT = join(ROOT, "node_modules/typescript/bin/tsc");
const RUN_WITHIN_MS = 60_000;

/** A program's exit and output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Examples {
  readonly folder: string;
  /** The file name of the packed SDK. */
  readonly tarball: string;
  /** Starts a program with additional environment variables. */
  start(settings: Settings, ...args: string[]): Watched;
  run(settings: Settings, ...args: string[]): Promise<Ended>;
  /** The compiler's output for all of them. */
  typeFaults(): Promise<string>;
  remove(): Promise<void>;
}

const compile = (folder: string): Promise<string> =>
  run(process.execPath, [TYPESCRIPT, "-p", folder]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

/**
 * Packs and installs the SDK, and copies the examples into the project.
 * @param root a checkout of the repository with its packages installed
 */
export const installExamples = async (root = ROOT): Promise<Examples> => {
  const scratch: Folder = await temporaryFolder();
  const { stdout } = await run(process.execPath, [join(root, INSTALL), scratch.path, "msw", "@types/node"]);
  const folder = join(scratch.path, "project");
  // The packages the project installed already exist.
  const filter = (path: string): boolean => !/node_modules|package(-lock)?\.json$/.test(path.slice(root.length));
  await cp(join(root, "examples"), folder, { recursive: true, filter });
  const start = (settings: Settings, ...args: string[]): Watched => spawnProgram(folder, settings, args);
  return {
    folder,
    tarball: basename(stdout.trim()),
    start,
    run: async (settings, ...args) => {
      const program = start(settings, ...args);
      const { code } = await endOf(program, RUN_WITHIN_MS);
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    },
    typeFaults: () => compile(folder),
    remove: () => scratch.remove(),
  };
};
