/**
 * Import direction: workspaces import only those above them in the house, only what they declare, and no paths outside
 * themselves.
 */
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path";
import { filesUnder, isCode, isTest, ROOT, workspacesOf } from "../workspaces.mjs";
import { hasPlace, isPure, mayFileImport, mayImport } from "./house.mjs";
import { readModule } from "./imports.mjs";

const packageOf = (request) =>
  request
    .split("/")
    .slice(0, request.startsWith("@") ? 2 : 1)
    .join("/");

/** Folders of a workspace that are not compiled into it: suites and samples for its tests only. */
const testFolders = (root, folder) => {
  const config = join(root, folder, "tsconfig.json");
  const excluded = existsSync(config) ? (JSON.parse(readFileSync(config, "utf8")).exclude ?? []) : [];
  return excluded.filter((pattern) => !pattern.includes("*")).map((path) => `${folder}/${path}/`);
};

const relativeFault = (path, request, folder) => {
  const target = normalize(join(dirname(path), request));
  return target.startsWith(`${folder}/`) ? null : `${path} imports ${request}, which lies outside of ${folder}`;
};

const packageFault = (path, request, workspace, known, forTests) => {
  const name = packageOf(request);
  const { folder, manifest } = workspace;
  const target = known.get(name);
  if (name === manifest.name) return `${path} imports its own package by name; use a relative path`;
  if (target && !mayImport(folder, target))
    return `${path} imports ${name}: the arrow from ${folder} to ${target} points backward`;
  if (target && !mayFileImport(path, target, forTests)) return `${path} imports ${name}: nothing real imports ${target}`;
  // A published package bundles the workspaces it uses: they are not installed.
  const isBundled = target !== undefined && manifest.private !== true;
  const dev = forTests || isBundled ? manifest.devDependencies : {};
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...dev };
  return name in declared ? null : `${path} imports ${name}, which ${folder}/package.json does not declare`;
};

/**
 * Checks one import.
 * @returns what is wrong, or null
 */
const faultOf = (path, request, workspace, known, shared, forTests) => {
  const { folder } = workspace;
  if (request.startsWith(".")) return relativeFault(path, request, folder);
  if (isBuiltin(request)) return isPure(folder) && !forTests ? `${path} imports ${request}, but ${folder} is pure` : null;
  if (forTests && packageOf(request) in shared) return null;
  return packageFault(path, request, workspace, known, forTests);
};

/** Every import that violates the order of the house, in words. */
export const arrowFaults = (root = ROOT) => {
  const workspaces = workspacesOf(root);
  const known = new Map(workspaces.map(({ folder, manifest }) => [manifest.name, folder]));
  const shared = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies ?? {};
  return workspaces.flatMap((workspace) => {
    const { folder } = workspace;
    if (!hasPlace(folder)) return [`${folder} has no place in tools/verify/house.mjs`];
    const suites = testFolders(root, folder);
    return filesUnder(`${folder}/src`, root)
      .filter(isCode)
      .flatMap((path) => {
        const forTests = isTest(path) || suites.some((suite) => path.startsWith(suite));
        return readModule(path, readFileSync(join(root, path), "utf8")).imports.map((request) =>
          faultOf(path, request, workspace, known, shared, forTests),
        );
      })
      .filter((fault) => fault !== null);
  });
};
