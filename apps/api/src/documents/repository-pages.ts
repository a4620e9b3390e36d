/** The repository's served pages: the guides and the generated error pages, each in the order of its index. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lexer, walkTokens } from "marked";

const DOCS = new URL("../../../../docs/", import.meta.url);
const GUIDES_FOLDER = fileURLToPath(new URL("guides/", DOCS));
const ERRORS_FOLDER = fileURLToPath(new URL("errors/", DOCS));

/** A page in the repository. */
export interface RepositoryPage {
  readonly name: string;
  readonly text: string;
}

/** The pages of a folder, and their index. */
export interface RepositoryPages {
  readonly list: string;
  readonly pages: readonly RepositoryPage[];
}

/** A page of a folder, or of a folder in it. */
const PAGE = /^(?:[a-z-]+\/)?[a-z_-]+\.md$/;

/** The pages an index links to, in its order. */
const namesIn = (list: string): string[] => {
  const names: string[] = [];
  walkTokens(lexer(list), (token) => {
    if (token.type === "link" && PAGE.test(token.href)) names.push(token.href.slice(0, -".md".length));
  });
  return names;
};

const readPages = (folder: string): RepositoryPages | null => {
  try {
    const list = readFileSync(join(folder, "README.md"), "utf8");
    return { list, pages: namesIn(list).map((name) => ({ name, text: readFileSync(join(folder, `${name}.md`), "utf8") })) };
  } catch {
    return null;
  }
};

/**
 * Reads the guides.
 * @param folder the folder; by default the repository's own
 * @returns null when the folder is missing: the service runs without them
 */
export const readGuides = (folder = GUIDES_FOLDER): RepositoryPages | null => readPages(folder);

/**
 * Reads the error pages.
 * @param folder the folder; by default the repository's own
 * @returns null when the folder is missing: the service runs without them
 */
export const readErrorPages = (folder = ERRORS_FOLDER): RepositoryPages | null => readPages(folder);
