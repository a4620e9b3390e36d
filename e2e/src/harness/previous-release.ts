/** An earlier commit of this repository, built in a folder of its own. */
import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./root.ts";

const run = promisify(execFile);

/** Why a commit cannot be built here; null when it can. */
export const whyNoCommit = (commit: string): string | null => {
  const { status, error } = spawnSync("git", ["cat-file", "-e", `${commit}^{tree}`], { cwd: ROOT });
  if (error) return "git is not installed";
  return status === 0 ? null : `this clone does not have the commit ${commit}`;
};

/** A built commit. */
export interface Release {
  /** Its `assay` command. */
  readonly assay: string;
  remove(): Promise<void>;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
}

const readLock = async (folder: string): Promise<Lockfile> =>
  JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as Lockfile; // npm's own file

/** Whether what is installed here is what that release needs, so that it does not have to be installed again. */
const hasItsPackages = async (folder: string): Promise<boolean> => {
  const [theirs, ours] = [await readLock(folder), await readLock(ROOT)];
  return Object.entries(theirs.packages).every(
    ([path, { version, link }]) => link || !path.includes("node_modules/") || ours.packages[path]?.version === version,
  );
};

/** Builds a commit. */
export const buildRelease = async (commit: string): Promise<Release> => {
  // Inside the repository, in an ignored folder: on the same disk as the installed packages, which are linked from there.
  await mkdir(join(ROOT, "e2e/dist"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, "e2e/dist/release-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, folder], { cwd: ROOT });
    if (await hasItsPackages(folder)) {
      await cp(join(ROOT, "node_modules"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
    } else await run("npm", ["ci", "--prefer-offline", "--no-audit"], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    await run(process.execPath, ["tools/build.mjs", "apps/cli"], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { assay: join(folder, "apps/cli/dist/bundle/assay.js"), remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
