/** The package as npm would publish it: built from a copy of its sources, packed, and installed into an empty project. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const SDK = fileURLToPath(new URL("../../", import.meta.url));
const ROOT = dirname(dirname(SDK.replace(/\/$/, "")));

/** What belongs to the package's folder in the repository, but for what is built. */
const PARTS = ["package.json", "tsconfig.json", "tsconfig.cjs.json", "scripts", "src", "README.md", "LICENSE", "api.md"];

/** What it depends on, and what that depends on. */
const DEPENDENCIES = ["decimal.js", "ws", "eventsource", "eventsource-parser"];

/** A project that has the package installed. */
export interface Project {
  readonly folder: string;
  /** Where the tarball lies. */
  readonly tarball: string;
  /** Writes a file of the project. */
  write(path: string, text: string): Promise<void>;
  /** Runs a script of the project with this Node. Fails with what it said. */
  node(...args: string[]): Promise<string>;
  /** The same with more in its environment. */
  nodeWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

const npm = (folder: string, ...args: string[]) =>
  run("npm", [...args, "--offline", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });

/** A private copy, so that a build of the repository that runs at the same time is not disturbed, nor packed half done. */
const buildCopy = async (scratch: string): Promise<string> => {
  const copy = join(scratch, "repository/packages/sdk");
  await mkdir(copy, { recursive: true });
  for (const part of PARTS) await cp(join(SDK, part), join(copy, part), { recursive: true });
  await cp(join(ROOT, "tsconfig.base.json"), join(scratch, "repository/tsconfig.base.json"));
  await symlink(join(ROOT, "node_modules"), join(scratch, "repository/node_modules"));
  await run("npm", ["run", "prepack"], { cwd: copy });
  return copy;
};

const pack = async (folder: string, into: string): Promise<string> => {
  await mkdir(into, { recursive: true });
  await npm(into, "pack", folder);
  const [name = ""] = await readdir(into);
  return join(into, name);
};

/** Packages of the repository a project uses beside the SDK: their own dependencies are found from where they really are. */
const lend = async (folder: string, name: string): Promise<void> => {
  await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
};

/**
 * Packs the SDK and installs the tarball, without a network: what it depends on comes as tarballs as well.
 * @param lent packages of the repository to have beside it
 */
export const installPacked = async (lent: readonly string[] = []): Promise<Project> => {
  const scratch = await mkdtemp(join(tmpdir(), "assay-sdk-"));
  const tarball = await pack(await buildCopy(scratch), join(scratch, "sdk"));
  const dependencies: string[] = [];
  for (const name of DEPENDENCIES) dependencies.push(await pack(join(ROOT, "node_modules", name), join(scratch, name)));
  const folder = join(scratch, "project");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  await npm(folder, "install", ...dependencies, tarball);
  for (const name of lent) await lend(folder, name);
  const node = async (env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> => {
    const failed = (error: { stdout: string; stderr: string }): never => {
      throw new Error(`${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
    };
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } }).catch(failed);
    return stdout.trimEnd();
  };
  return {
    folder,
    tarball,
    write: (path, text) => writeFile(join(folder, path), text),
    node: (...args) => node({}, args),
    nodeWith: (env, ...args) => node(env, args),
    remove: () => rm(scratch, { recursive: true }),
  };
};

/** A program of the repository, by its path from `node_modules`. */
export const programOf = (path: string): string => join(ROOT, "node_modules", path);
