/**
 * Packs the SDK as npm would publish it, and installs the tarball into a new project without network access: its dependencies
 * are packed as tarballs too. `node install-packed.mjs FOLDER [PACKAGE…]` creates FOLDER/project, links further packages of the
 * repository into it, and prints the tarball's path.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const SDK = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(dirname(SDK));

/** The package's source files in the repository, without build output. */
const PARTS = ["package.json", "tsconfig.json", "tsconfig.cjs.json", "scripts", "src", "README.md", "LICENSE", "api.md"];

/** Its dependencies, and theirs. */
const DEPENDENCIES = ["decimal.js", "ws", "eventsource-parser"];

const npm = (folder, ...args) =>
  run("npm", [...args, "--offline", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });

/** A private copy, so that a concurrent build of the repository is neither disturbed nor packed half done. */
const buildCopy = async (scratch) => {
  const copy = join(scratch, "repository/packages/sdk");
  await mkdir(copy, { recursive: true });
  for (const part of PARTS) await cp(join(SDK, part), join(copy, part), { recursive: true });
  await cp(join(ROOT, "tsconfig.base.json"), join(scratch, "repository/tsconfig.base.json"));
  await symlink(join(ROOT, "node_modules"), join(scratch, "repository/node_modules"));
  await run("npm", ["run", "prepack"], { cwd: copy });
  return copy;
};

const pack = async (folder, into) => {
  await mkdir(into, { recursive: true });
  await npm(into, "pack", folder);
  const [name = ""] = await readdir(into);
  return join(into, name);
};

/** Packages of the repository a project uses besides the SDK: their dependencies resolve from their real location. */
const lend = async (folder, name) => {
  await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
};

const [scratch, ...lent] = process.argv.slice(2);
if (scratch === undefined) throw new Error("name the folder to install into");
const tarball = await pack(await buildCopy(scratch), join(scratch, "sdk"));
const dependencies = [];
for (const name of DEPENDENCIES) dependencies.push(await pack(join(ROOT, "node_modules", name), join(scratch, name)));
const project = join(scratch, "project");
await mkdir(project);
await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
await npm(project, "install", ...dependencies, tarball);
for (const name of lent) await lend(project, name);
process.stdout.write(`${tarball}\n`);
