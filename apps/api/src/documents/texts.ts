/** The guides and the error pages of the repository, each as Markdown and as HTML, in the order of its index. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DOCUMENTED_URL, ERROR_CODES, ERRORS } from "@assay/contract";
import { errorPageText } from "@assay/process";
import { lexer, walkTokens } from "marked";
import type { Page, Site } from "./layout.ts";
import { type Headline, headlineOf, renderMarkdown, servedMarkdown, withTierTable } from "./markdown.ts";
import { type Sibling, textPage } from "./pages.ts";

const DOCS = new URL("../../../../docs/", import.meta.url);
const GUIDES_FOLDER = fileURLToPath(new URL("guides/", DOCS));
const ERRORS_FOLDER = fileURLToPath(new URL("errors/", DOCS));

export interface RepositoryPage {
  readonly name: string;
  readonly text: string;
  /** The heading of the list that it stands under; empty when there is none. */
  readonly group: string;
}

/** The pages of a folder, and their index. */
export interface RepositoryPages {
  readonly list: string;
  readonly pages: readonly RepositoryPage[];
}

/** A page of a folder, or of a folder in it. */
const PAGE = /^(?:[a-z-]+\/)?[a-z_-]+\.md$/;

/** The pages an index links to, in its order, each with the heading above it. */
const linkedIn = (list: string): Pick<RepositoryPage, "name" | "group">[] => {
  const linked: Pick<RepositoryPage, "name" | "group">[] = [];
  let group = "";
  walkTokens(lexer(list), (token) => {
    if (token.type === "heading" && token.depth > 1) group = token.text;
    if (token.type === "link" && PAGE.test(token.href)) linked.push({ name: token.href.slice(0, -".md".length), group });
  });
  return linked;
};

const readPages = (folder: string): RepositoryPages | null => {
  try {
    const list = readFileSync(join(folder, "README.md"), "utf8");
    return {
      list,
      pages: linkedIn(list).map((page) => ({ ...page, text: readFileSync(join(folder, `${page.name}.md`), "utf8") })),
    };
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

/** A served text; its forms are built on request. */
export interface TextDocument extends Headline {
  /** The path it is served at, without an extension. */
  readonly path: string;
  readonly markdown: () => Promise<string>;
  readonly page: () => Promise<Page>;
}

interface Source {
  readonly path: string;
  /** Its path in the repository; its links are relative to that. */
  readonly file: string;
  readonly text: string;
  readonly group: string;
}

/** @param running the text of a source as this service has it */
const documentsOf = (
  section: "guides" | "errors",
  sources: readonly Source[],
  label: (title: string) => string,
  running: (source: Source) => Promise<string>,
  site: Site,
): TextDocument[] => {
  const headline = (text: string): Headline => headlineOf(text.replaceAll(DOCUMENTED_URL, site.publicUrl));
  const siblings: Sibling[] = sources.map(({ path, text, group }) => ({ path, label: label(headline(text).title), group }));
  return sources.map((source) => {
    const { path, file } = source;
    return {
      path,
      ...headline(source.text),
      markdown: async () => servedMarkdown(await running(source), file, site),
      page: async () => {
        const text = await running(source);
        return textPage(section, path, headline(text), renderMarkdown(text, file, site), siblings, site);
      },
    };
  });
};

const sourcesOf = (section: "guides" | "errors", { list, pages }: RepositoryPages): Source[] => [
  { path: `/docs/${section}`, file: `docs/${section}/README.md`, text: list, group: "" },
  ...pages.map(({ name, text, group }) => ({
    path: `/docs/${section}/${name}`,
    file: `docs/${section}/${name}.md`,
    text,
    group,
  })),
];

const STATUSES = new Map<string, number>(ERROR_CODES.map((code) => [code, ERRORS[code].status]));

const errorDocuments = (found: RepositoryPages, site: Site): TextDocument[] =>
  documentsOf(
    "errors",
    sourcesOf("errors", found),
    (title) => (STATUSES.has(title) ? `${STATUSES.get(title)} ${title}` : "All errors"),
    ({ file, text }) => errorPageText(file, text),
    site,
  );

/** All texts of a service. Empty lists where the folder is missing. */
export interface Texts {
  /** The index first. */
  readonly guides: readonly TextDocument[];
  /** The index first. */
  readonly errors: readonly TextDocument[];
}

/** Every guide, the index first, with the tiers of this service. */
const guideDocuments = ({ list, pages }: RepositoryPages, site: Site): TextDocument[] => {
  const shown = pages.map((page) => ({ ...page, text: withTierTable(page.text, site.catalog) }));
  return documentsOf(
    "guides",
    sourcesOf("guides", { list, pages: shown }),
    (title) => title,
    async ({ text }) => text,
    site,
  );
};

/**
 * Lists the texts; none is built yet.
 * @param guidesFolder the folder of the guides; by default the repository's
 */
export const openTexts = (site: Site, guidesFolder?: string): Texts => {
  const guides = readGuides(guidesFolder);
  const errors = readErrorPages();
  return {
    guides: guides === null ? [] : guideDocuments(guides, site),
    errors: errors === null ? [] : errorDocuments(errors, site),
  };
};
