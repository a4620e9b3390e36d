/** Checks the pages for newcomers: docs/map.md lists every workspace and its folders, and each workspace has a short README. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder, ROOT, workspacesOf } from "../workspaces.mjs";

const MAP = "docs/map.md";
const MAP_LINES = 60;
const README_LINES = 15;

/** Shared by the tests of a workspace; the map describes it once. */
const UNLISTED = new Set(["testing"]);

const linesOf = (text) => text.trimEnd().split("\n").length;

/** The first level of folders in a workspace's sources. */
const foldersOf = (folder, root) => {
  const below = filesUnder(`${folder}/src`, root).map((path) => path.slice(`${folder}/src/`.length).split("/"));
  return [...new Set(below.filter(({ length }) => length > 1).map(([name]) => name))].filter((name) => !UNLISTED.has(name));
};

/** The entries of the map: each starts with a workspace, then lists its folders with a trailing slash. */
const namedIn = (text) => {
  const entries = text.split(/^- (?=`)/m).slice(1);
  return new Map(
    entries.map((entry) => {
      const [workspace, ...spans] = [...entry.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
      return [workspace, spans.filter((span) => span.endsWith("/")).map((span) => span.slice(0, -1))];
    }),
  );
};

/** What is wrong with docs/map.md, in words. */
export const mapFaults = (root = ROOT) => {
  const path = join(root, MAP);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const named = namedIn(text);
  const known = new Set(workspacesOf(root).map(({ folder }) => folder));
  return [
    ...(linesOf(text) > MAP_LINES ? [`${MAP} has ${linesOf(text)} lines, more than ${MAP_LINES}`] : []),
    ...[...named.keys()].filter((folder) => !known.has(folder)).map((folder) => `${MAP}: there is no workspace ${folder}`),
    ...[...known].flatMap((folder) => {
      const said = named.get(folder);
      if (said === undefined) return [`${MAP} lacks ${folder}`];
      return [
        ...foldersOf(folder, root)
          .filter((name) => !said.includes(name))
          .map((name) => `${MAP} lacks ${folder}/src/${name}`),
        ...said
          .filter((name) => !existsSync(join(root, folder, "src", name)))
          .map((name) => `${MAP}: there is no ${folder}/src/${name}`),
      ];
    }),
  ];
};

/** Workspaces without a README, or with one that is too long; a published package's may have any length. */
export const readmeFaults = (root = ROOT) =>
  workspacesOf(root).flatMap(({ folder, manifest }) => {
    const path = join(root, folder, "README.md");
    if (!existsSync(path)) return [`${folder} has no README.md`];
    const lines = linesOf(readFileSync(path, "utf8"));
    return manifest.private === true && lines > README_LINES
      ? [`${folder}/README.md has ${lines} lines, more than ${README_LINES}`]
      : [];
  });
