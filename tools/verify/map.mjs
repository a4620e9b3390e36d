/** docs/map.md: a line for every source file, taken from the sentence at its head. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filesUnder, isCode, isTest, ROOT, workspacesOf } from "../workspaces.mjs";
import { inHouseOrder } from "./house.mjs";
import { readModule } from "./imports.mjs";

/** Where the map lies. */
export const MAP_PATH = "docs/map.md";

const INTRODUCTION = `# Map

A line for every source file: what it is for, in the sentence at its own head. \`npm run gen\` writes this page; a file without
such a sentence fails \`npm run verify\`. Tests stand beside the code they test, as \`x.test.ts\`, and are not listed.
`;

/** Folders beside the workspaces, and what is in them. */
const BESIDE = [
  { folder: "examples", about: "Programs on the packed SDK, as its users write them", at: "examples" },
  { folder: "tools", about: "What the commands of the repository run", at: "tools" },
];

const sentenceOf = (comment) => {
  const text = comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, ""))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
};

/** The sentence at the head of a file, or null. */
const headOf = (root, path) => {
  const { head } = readModule(path, readFileSync(join(root, path), "utf8"));
  return head?.startsWith("*") ? sentenceOf(head.slice(1)) : null;
};

const sectionsOf = (root) => [
  ...inHouseOrder(workspacesOf(root)).map(({ folder, manifest }) => ({
    folder,
    about: manifest.description,
    at: `${folder}/src`,
  })),
  ...BESIDE,
];

const sourcesAt = (root, at) => filesUnder(at, root).filter((path) => isCode(path) && !isTest(path));

/** Files of a folder before those of its subfolders. */
const inReadingOrder = (paths) => {
  const folders = [...new Set(paths.map(dirname))].sort();
  return folders.flatMap((folder) => paths.filter((path) => dirname(path) === folder));
};

/**
 * Writes the map.
 * @returns its text, and the files that have no sentence at their head
 */
export const drawMap = (root = ROOT) => {
  const silent = [];
  const sections = sectionsOf(root).map(({ folder, about, at }) => {
    const lines = inReadingOrder(sourcesAt(root, at)).map((path) => {
      const sentence = headOf(root, path);
      if (!sentence) silent.push(path);
      return `- \`${path}\`: ${sentence ?? basename(path)}`;
    });
    return lines.length === 0 ? "" : `\n## ${folder}\n\n${about}.\n\n${lines.join("\n")}\n`;
  });
  return { text: `${INTRODUCTION}${sections.join("")}`, silent };
};

/** What is wrong with the map as it stands, in words: silent files, files it lacks, lines of files that are gone or say something else. */
export const mapFaults = (root = ROOT) => {
  const { text, silent } = drawMap(root);
  const path = join(root, MAP_PATH);
  const drawn = new Set(text.split("\n"));
  const standing = new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);
  const isFile = (line) => line.startsWith("- `");
  return [
    ...silent.map((file) => `${file} has no sentence at its head`),
    ...[...drawn].filter((line) => isFile(line) && !standing.has(line)).map((line) => `${MAP_PATH} lacks: ${line}`),
    ...[...standing].filter((line) => isFile(line) && !drawn.has(line)).map((line) => `${MAP_PATH} is out of date: ${line}`),
  ];
};
