/** A copy of the repository's sources to modify and compile: installed packages are the repository's, workspaces its own. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ROOT } from "./files.ts";

/** A command's output and exit code. */
export interface ScriptResult {
  readonly code: number;
  /** Lines of both output streams. */
  readonly lines: readonly string[];
}

export interface ScratchRepository {
  readonly folder: string;
  /** Replaces text in a file, which must contain it; returns a function that restores the file. */
  edit(path: string, replacements: Readonly<Record<string, string>>): Promise<() => Promise<void>>;
  node(...args: string[]): Promise<ScriptResult>;
  remove(): Promise<void>;
}

const SKIPPED = new Set(["dist", "node_modules", ".turbo", "fixtures"]);

const copySources = async (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: (path) => !SKIPPED.has(basename(path)) && !/\.test\.ts$/.test(path) });

/** The repository's own packages resolve to the copy; all others resolve further up, where they are installed. */
const linkWorkspaces = async (folder: string, workspaces: readonly string[]): Promise<void> => {
  await mkdir(join(folder, "node_modules/@assay"), { recursive: true });
  for (const path of workspaces) await symlink(join(folder, path), join(folder, "node_modules/@assay", basename(path)));
};

/**
 * Copies the repository.
 * @param workspaces folders of the workspaces to have
 * @param others further files and folders to have
 */
export const copyRepository = async (workspaces: readonly string[], others: readonly string[]): Promise<ScratchRepository> => {
  // Inside the repository, in an ignored folder: type declarations may name packages only where they are really installed.
  await mkdir(join(ROOT, "e2e/dist"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, "e2e/dist/scratch-"));
  for (const path of [...workspaces, ...others]) await copySources(join(ROOT, path), join(folder, path));
  await linkWorkspaces(folder, workspaces);
  return {
    folder,
    edit: async (path, replacements) => {
      const before = await readFile(join(folder, path), "utf8");
      let after = before;
      for (const [from, to] of Object.entries(replacements)) {
        if (!after.includes(from)) throw new Error(`${path} does not hold ${from}`);
        after = after.replaceAll(from, to);
      }
      await writeFile(join(folder, path), after);
      return () => writeFile(join(folder, path), before);
    },
    node: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
          const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
          resolve({ code: error ? 1 : 0, lines });
        });
      }),
    remove: () => rm(folder, { recursive: true }),
  };
};
