/** Dead paths in the documents: links, paths named in code spans, and commands that no longer exist. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lexer, walkTokens } from "marked";
import { filesUnder, ROOT, workspacesOf } from "../workspaces.mjs";

const ROOT_PAGES = ["README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/** A code span that starts with one of these folders is a path from the root; with a placeholder it is a pattern. */
const PATH = /^(packages|apps|tools|e2e|bench|deploy|docs|examples|\.ci)\/[^\s<>{}*…]*$/;
/** Made by a build, or by the operator. */
const BUILT = /\/dist(\/|$)|^deploy\/(secrets|\.env)(\/|$)/;
const COMMAND = /\bnpm run (?:-\S+ )*(\w[\w:-]*)/g;

const pagesOf = (root) =>
  [
    ...ROOT_PAGES,
    ...["docs", "examples"].flatMap((folder) => filesUnder(folder, root)),
    ...workspacesOf(root).map(({ folder }) => `${folder}/README.md`),
  ].filter((path) => path.endsWith(".md") && existsSync(join(root, path)));

const linkFault = (root, page, href) => {
  if (/^([a-z]+:|#)/.test(href)) return null;
  const path = decodeURI(href.replace(/[#?].*$/, ""));
  return existsSync(join(root, dirname(page), path)) ? null : `${page}: the link ${href} leads nowhere`;
};

const pathFault = (root, page, text) => {
  const path = text.replace(/:\d+$/, "");
  if (!PATH.test(path) || BUILT.test(path) || existsSync(join(root, path))) return null;
  return `${page}: there is no ${path}`;
};

const commandFaults = (scripts, page, text) =>
  [...text.matchAll(COMMAND)]
    .filter(([, name]) => !(name in scripts))
    .map(([, name]) => `${page}: there is no command npm run ${name}`);

/** Every dead path, in words. */
export const linkFaults = (root = ROOT) => {
  const { scripts = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return pagesOf(root).flatMap((page) => {
    const faults = [];
    walkTokens(lexer(readFileSync(join(root, page), "utf8")), (token) => {
      if (token.type === "link" || token.type === "image") faults.push(linkFault(root, page, token.href));
      if (token.type === "codespan") faults.push(pathFault(root, page, token.text));
      if (token.type === "codespan" || token.type === "code") faults.push(...commandFaults(scripts, page, token.text));
    });
    return faults.filter((fault) => fault !== null);
  });
};
