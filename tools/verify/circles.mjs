/** Circular imports: files of a workspace that import each other, type imports included. */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { filesUnder, isCode, ROOT, workspacesOf } from "../workspaces.mjs";
import { readModule } from "./imports.mjs";

/** What each file of a folder imports from its own workspace. */
const importsIn = (folder, root) =>
  new Map(
    filesUnder(`${folder}/src`, root)
      .filter(isCode)
      .map((path) => {
        const { imports } = readModule(path, readFileSync(join(root, path), "utf8"));
        return [path, imports.filter((one) => one.startsWith(".")).map((one) => normalize(join(dirname(path), one)))];
      }),
  );

/** Depth-first search; an import of a file still on the stack closes a circle. Finds one per cluster, not all. */
const circlesIn = (graph) => {
  const circles = [];
  const done = new Set();
  const way = [];
  const walk = (path) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path]);
    if (done.has(path) || way.includes(path)) return;
    way.push(path);
    for (const next of graph.get(path) ?? []) walk(next);
    way.pop();
    done.add(path);
  };
  for (const path of graph.keys()) walk(path);
  return circles;
};

/** Every circle found, in words. */
export const circleFaults = (root = ROOT) =>
  workspacesOf(root).flatMap(({ folder }) =>
    circlesIn(importsIn(folder, root)).map((circle) => `files import each other: ${circle.join(" -> ")}`),
  );
