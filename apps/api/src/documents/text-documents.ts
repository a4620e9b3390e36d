/** The guides and the error pages, each as Markdown and as HTML. */
import { ERROR_CODES, ERRORS } from "@assay/contract";
import type { Page } from "./layout.ts";
import { type Headline, headlineOf, renderMarkdown, servedMarkdown } from "./markdown.ts";
import { type RepositoryPages, readErrorPages, readGuides } from "./repository-pages.ts";
import type { Site } from "./site.ts";
import { type Sibling, textPage } from "./text-page.ts";
import { withTierTable } from "./tier-table.ts";

/** A served text; its forms are built on request. */
export interface TextDocument extends Headline {
  /** The path it is served at, without an extension. */
  readonly path: string;
  readonly markdown: () => string;
  readonly page: () => Page;
}

interface Source {
  readonly path: string;
  /** Its path in the repository; its links are relative to that. */
  readonly file: string;
  readonly text: string;
}

const documentsOf = (
  section: "guides" | "errors",
  sources: readonly Source[],
  label: (title: string) => string,
  site: Site,
): TextDocument[] => {
  const siblings: Sibling[] = sources.map(({ path, text }) => ({ path, label: label(headlineOf(text).title) }));
  return sources.map(({ path, file, text }) => {
    const headline = headlineOf(text);
    return {
      path,
      ...headline,
      markdown: () => servedMarkdown(text, file, site),
      page: () => textPage(section, path, headline, renderMarkdown(text, file, site), siblings, site),
    };
  });
};

const sourcesOf = (section: "guides" | "errors", { list, pages }: RepositoryPages): Source[] => [
  { path: `/docs/${section}`, file: `docs/${section}/README.md`, text: list },
  ...pages.map(({ name, text }) => ({ path: `/docs/${section}/${name}`, file: `docs/${section}/${name}.md`, text })),
];

const STATUSES = new Map<string, number>(ERROR_CODES.map((code) => [code, ERRORS[code].status]));

/** Every error page, the index first. */
const errorDocuments = (found: RepositoryPages, site: Site): TextDocument[] =>
  documentsOf(
    "errors",
    sourcesOf("errors", found),
    (title) => (STATUSES.has(title) ? `${STATUSES.get(title)} ${title}` : "All errors"),
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
  const shown = pages.map(({ name, text }) => ({ name, text: withTierTable(text, site.catalog) }));
  return documentsOf("guides", sourcesOf("guides", { list, pages: shown }), (title) => title, site);
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
