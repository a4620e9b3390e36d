/** The guides and the error pages, each as Markdown and as HTML. */
import { type Contract, contract, ERROR_CODES, ERRORS } from "@assay/contract";
import { errorIndex, errorPage } from "../gen/error-page.ts";
import type { Guides } from "./guides.ts";
import type { Page } from "./layout.ts";
import { type Headline, headlineOf, renderMarkdown, servedMarkdown } from "./markdown.ts";
import type { Site } from "./site.ts";
import { type Sibling, textPage } from "./text-page.ts";
import { withTierTable } from "./tier-table.ts";

/** A text that is served; its forms are made when they are asked for. */
export interface TextDocument extends Headline {
  /** Where it is served, without an ending. */
  readonly path: string;
  readonly markdown: () => string;
  readonly page: () => Page;
}

interface Source {
  readonly path: string;
  /** Where it lies in the repository; its links are relative to that. */
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

/** Every error page, the list first. They are made of the contract, so they are there even where the repository's documents are not. */
export const errorDocuments = (site: Site): TextDocument[] => {
  const tree: Contract = contract;
  const routes = Object.values(tree).flatMap((actions) => Object.values(actions));
  const pages = ERROR_CODES.map((code) => ({
    path: `/docs/errors/${code}`,
    file: `docs/errors/${code}.md`,
    text: errorPage(code, routes),
  }));
  const list = { path: "/docs/errors", file: "docs/errors/README.md", text: errorIndex(ERROR_CODES) };
  const statuses = new Map<string, number>(ERROR_CODES.map((code) => [code, ERRORS[code].status]));
  const label = (title: string): string => (statuses.has(title) ? `${statuses.get(title)} ${title}` : "All errors");
  return documentsOf("errors", [list, ...pages], label, site);
};

/** Every guide, the list first, with the tiers of this service. */
export const guideDocuments = ({ list, guides }: Guides, site: Site): TextDocument[] => {
  const pages = guides.map(({ name, text }) => ({
    path: `/docs/guides/${name}`,
    file: `docs/guides/${name}.md`,
    text: withTierTable(text, site.catalog),
  }));
  return documentsOf(
    "guides",
    [{ path: "/docs/guides", file: "docs/guides/README.md", text: list }, ...pages],
    (title) => title,
    site,
  );
};
