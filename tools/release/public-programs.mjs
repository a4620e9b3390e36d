/**
 * Programs that use the SDK as consumers do, of an earlier release or of what is here: tests of its public entry points only, the
 * README's code, and one for each entry point that uses every public name.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { readModule } from "../verify/imports.mjs";
import { isTest } from "../workspaces.mjs";
import { usesOfNames } from "./public-names.mjs";

/** The SDK's folder. */
export const SDK = "packages/sdk";
/** Its public entry points, by what consumers import. */
export const ENTRIES = new Map([
  ["@assay/sdk", `${SDK}/src/index.ts`],
  ...["msw", "receipts", "resources", "stream", "trpc", "webhooks"].map((name) => [
    `@assay/sdk/${name}`,
    `${SDK}/src/${name}/index.ts`,
  ]),
]);
const README = `${SDK}/README.md`;
const HELPERS = `${SDK}/src/testing/`;

const git = (root, ...args) => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.trim()}`);
  return stdout;
};

/** The newest release's tag, or null. */
export const lastRelease = (root) => git(root, "tag", "--list", "sdk-v*", "--sort=-v:refname").split("\n")[0] || null;

const importsOf = (path, text) =>
  readModule(path, text)
    .imports.filter((request) => request.startsWith("."))
    .map((request) => normalize(join(dirname(path), request)));

/** A test is public when nothing it imports, directly or through helpers, is internal to the SDK. */
const withHelpers = (path, texts, seen = new Map()) => {
  if (seen.has(path)) return seen;
  const text = texts.get(path);
  if (text === undefined) return null;
  seen.set(path, text);
  for (const target of importsOf(path, text)) {
    if ([...ENTRIES.values()].includes(target)) continue;
    if (!target.startsWith(HELPERS) || withHelpers(target, texts, seen) === null) return null;
  }
  return seen;
};

const codeOf = (readme) => [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code);

/** The SDK's files at a tag. */
const tagged = (root, tag) => ({
  names: git(root, "ls-tree", "-r", "--name-only", tag, SDK).split("\n").filter(Boolean),
  read: (name) => git(root, "show", `${tag}:${name}`),
});

/** The SDK's files that are here. */
const present = (root) => ({
  names: [
    README,
    ...readdirSync(join(root, SDK, "src"), { recursive: true })
      .toSorted()
      .map((name) => `${SDK}/src/${name}`),
  ].filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile()),
  read: (name) => readFileSync(join(root, name), "utf8"),
});

/**
 * Finds these programs.
 * @param root folder of the repository
 * @param tag the release; without one, what is here
 * @returns texts by path: tests with the helpers they need, and a file for each code block of the README and each entry point
 */
export const publicPrograms = (root, tag = null) => {
  const { names, read } = tag === null ? present(root) : tagged(root, tag);
  const texts = new Map(names.filter((name) => isTest(name) || name.startsWith(HELPERS)).map((name) => [name, read(name)]));
  const programs = new Map();
  for (const name of names.filter(isTest)) for (const [path, text] of withHelpers(name, texts) ?? []) programs.set(path, text);
  const readme = names.includes(README) ? read(README) : "";
  for (const [index, code] of codeOf(readme).entries()) programs.set(`${SDK}/src/readme-${index + 1}.test.ts`, code);
  const entries = [...ENTRIES].filter(([, entry]) => names.includes(entry));
  for (const [index, code] of usesOfNames(entries, read).entries()) programs.set(`${SDK}/src/names-${index + 1}.test.ts`, code);
  return programs;
};
