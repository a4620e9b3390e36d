/** The workspaces of the repository and the source files in them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const PARENTS = ["packages", "apps"];
const SINGLE = ["e2e", "bench", "world"];
const SKIPPED = new Set(["node_modules", "dist", ".turbo", "fixtures", "generated"]);

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const childrenOf = (root, parent) =>
  existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];

/** Every workspace: its path from the root, and its package.json. */
export const workspacesOf = (root = ROOT) =>
  [...PARENTS.flatMap((parent) => childrenOf(root, parent)), ...SINGLE]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, "package.json")) }));

/** Every file under a folder, as sorted paths from the root; built, installed, generated and sample files are excluded. */
export const filesUnder = (folder, root = ROOT) => {
  const at = join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = relative(root, join(at, entry.name));
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path, root);
      return [path];
    });
};

/** Whether a file is a test. */
export const isTest = (path) => /\.test(-d)?\.(ts|mjs)$/.test(path);

/** Whether a file is source code, tests included. */
export const isCode = (path) => /\.(tsx?|mjs)$/.test(path);
