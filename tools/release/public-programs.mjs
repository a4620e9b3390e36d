/**
 * Programs of an earlier release that use the SDK as consumers do: tests of its public entry points only, and the README's
 * code.
 */
import { spawnSync } from "node:child_process";
import { dirname, join, normalize } from "node:path";
import { readModule } from "../verify/imports.mjs";
import { isTest } from "../workspaces.mjs";

/** The SDK's folder, and its public entry points. */
export const SDK = "packages/sdk";
const ENTRIES = [`${SDK}/src/index.ts`, `${SDK}/src/msw/index.ts`];
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
    if (ENTRIES.includes(target)) continue;
    if (!target.startsWith(HELPERS) || withHelpers(target, texts, seen) === null) return null;
  }
  return seen;
};

const codeOf = (readme) => [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code);

/**
 * Finds these programs.
 * @param root folder of the repository
 * @param tag the release
 * @returns texts by path: tests with the helpers they need, and a file for each code block of the README
 */
export const publicPrograms = (root, tag) => {
  const names = git(root, "ls-tree", "-r", "--name-only", tag, SDK).split("\n").filter(Boolean);
  const wanted = names.filter((name) => isTest(name) || name.startsWith(HELPERS));
  const texts = new Map(wanted.map((name) => [name, git(root, "show", `${tag}:${name}`)]));
  const programs = new Map();
  for (const name of names.filter(isTest)) for (const [path, text] of withHelpers(name, texts) ?? []) programs.set(path, text);
  const readme = names.includes(`${SDK}/README.md`) ? git(root, "show", `${tag}:${SDK}/README.md`) : "";
  for (const [index, code] of codeOf(readme).entries()) programs.set(`${SDK}/src/readme-${index + 1}.test.ts`, code);
  return programs;
};
