/** The guides of the repository, in the order of their list. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lexer, walkTokens } from "marked";

const GUIDES_FOLDER = fileURLToPath(new URL("../../../../docs/guides/", import.meta.url));

/** A guide as it lies in the repository. */
export interface Guide {
  readonly name: string;
  readonly text: string;
}

/** The guides, and the list of them. */
export interface Guides {
  readonly list: string;
  readonly guides: readonly Guide[];
}

/** The guides a list names, in its order. */
export const namesIn = (list: string): string[] => {
  const names: string[] = [];
  walkTokens(lexer(list), (token) => {
    if (token.type === "link" && /^[a-z-]+\.md$/.test(token.href)) names.push(token.href.slice(0, -".md".length));
  });
  return names;
};

/**
 * Reads the guides.
 * @param folder where they lie; by default the repository's own
 * @returns none where the folder is not there: the service runs without them
 */
export const readGuides = (folder = GUIDES_FOLDER): Guides | null => {
  try {
    const list = readFileSync(join(folder, "README.md"), "utf8");
    return { list, guides: namesIn(list).map((name) => ({ name, text: readFileSync(join(folder, `${name}.md`), "utf8") })) };
  } catch {
    return null;
  }
};
