/** What the last release published, kept in `released/`: both documents without prose, and programs that use its SDK. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publicPrograms } from "./public-programs.mjs";

/** The folder. */
export const FOLDER = "released";
const DOCUMENTS = ["openapi.json", "asyncapi.json"];
const PROGRAMS = "sdk-programs.json";

const PROSE = new Set(["title", "description", "summary", "example", "examples", "externalDocs", "tags", "contact", "license"]);

/** A document without what only people read; in a table of fields, every key is a field. */
const withoutProse = (node, isTable = false) => {
  if (Array.isArray(node)) return node.map((one) => withoutProse(one));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isTable || !PROSE.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutProse(value, !isTable && key === "properties")]));
};

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** The generated documents as the snapshot keeps them, by file name. */
export const currentDocuments = (root) =>
  Object.fromEntries(DOCUMENTS.map((name) => [name, withoutProse(readJson(root, `packages/contract/generated/${name}`))]));

/** The texts of the files of a snapshot of what is here, by name. */
export const currentSnapshot = (root) => {
  const files = { ...currentDocuments(root), [PROGRAMS]: Object.fromEntries(publicPrograms(root)) };
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [name, `${JSON.stringify(value, null, 1)}\n`]));
};

/** The texts of the stored snapshot. */
const storedSnapshot = (root) =>
  Object.fromEntries([...DOCUMENTS, PROGRAMS].map((name) => [name, readFileSync(join(root, FOLDER, name), "utf8")]));

/** The stored documents by file name. */
export const storedDocuments = (root) => Object.fromEntries(DOCUMENTS.map((name) => [name, readJson(root, `${FOLDER}/${name}`)]));

/** The stored programs, texts by path. */
export const storedPrograms = (root) => new Map(Object.entries(readJson(root, `${FOLDER}/${PROGRAMS}`)));

/** The line of the changelog that names a snapshot. */
const lineOf = (texts) => {
  const digest = createHash("sha256");
  for (const name of Object.keys(texts).toSorted()) digest.update(texts[name]);
  return `<!-- released: sha256:${digest.digest("hex")} -->`;
};

/** The line that names the stored snapshot. */
export const storedLine = (root) => lineOf(storedSnapshot(root));

/** The line of the newest snapshot that the changelog names; undefined when it names none. */
export const namedLine = (root) =>
  readFileSync(join(root, "CHANGELOG.md"), "utf8")
    .split("\n")
    .find((line) => line.startsWith("<!-- released: "));
