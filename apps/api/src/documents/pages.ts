/** The pages: the reference with its form for requests, and the guides and error pages. */
import { type Contract, contract, operationId, pages, type Route, streams } from "@assay/contract";
import { escapeHtml } from "@assay/services";
import type { Assets } from "./assets.ts";
import type { Page, Site } from "./layout.ts";
import type { Headline } from "./markdown.ts";

interface Entry {
  readonly operationId: string;
  readonly route: Route;
}

const entries = (tree: Contract): Entry[] =>
  Object.entries(tree).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([action, route]) => ({ operationId: operationId(resource, action), route })),
  );

const item = ({ operationId, route }: Entry): string =>
  `<li><a href="#/${encodeURIComponent(route.tag)}/${operationId}"${route.successor ? ' class="deprecated"' : ""}>` +
  `<span class="method ${route.method.toLowerCase()}">${route.method}</span>${escapeHtml(route.path)}</a></li>`;

const routesSidebar = (): string => {
  const all = [...entries(contract), ...entries({ streams }), ...entries(pages)];
  const tags = new Set(all.map(({ route }) => route.tag));
  const groups = [...tags].map((tag) => {
    const items = all.filter(({ route }) => route.tag === tag).map(item);
    return `<h2>${escapeHtml(tag)}</h2><ul>${items.join("")}</ul>`;
  });
  return `<nav aria-label="Routes" class="routes">${groups.join("")}</nav>`;
};

const keyForm = `<form id="key-form" class="key" autocomplete="off">
<label for="key">API key</label>
<input id="key" type="password" placeholder="assay_live_…" spellcheck="false" autocomplete="off" aria-describedby="key-note">
<button type="reset">Clear</button>
<p id="key-note">Sent with every request from this page, and forgotten when you leave it. Without one you get what everybody gets.</p>
</form>`;

/** The page; its content is rendered in the browser from /openapi.json. */
export const referencePage = (assets: Assets, site: Site): Page => ({
  section: "reference",
  title: "Assay API reference",
  description: "Every route of Assay, with its parameters and answers; requests can be sent from the page.",
  aside: routesSidebar(),
  content: `${keyForm}
<noscript><p class="notice">The reference is drawn by a script. Without one, read <a href="${escapeHtml(site.basePath)}/openapi.json">openapi.json</a>
or the <a href="${escapeHtml(site.basePath)}/docs/guides">guides</a>.</p></noscript>
<div id="reference" data-base="${escapeHtml(site.basePath)}"><p class="notice">Loading the reference…</p></div>`,
  markdownPath: null,
  stylesheets: [assets.libraryStylesheet.path, assets.libraryOverlay.path, assets.referenceStylesheet.path],
  scripts: { early: [assets.theme.path], late: [assets.library.path, assets.reference.path] },
});

/** A page beside others. */
export interface Sibling {
  readonly path: string;
  readonly label: string;
  /** The heading of the list that it stands under; empty when there is none. */
  readonly group: string;
}

const pagesSidebar = (siblings: readonly Sibling[], current: string, site: Site): string => {
  const groups = [...new Set(siblings.map(({ group }) => group))].map((group) => {
    const items = siblings
      .filter((each) => each.group === group)
      .map(
        ({ path, label }) =>
          `<li><a href="${escapeHtml(site.basePath + path)}"${path === current ? ' aria-current="page"' : ""}>${escapeHtml(label)}</a></li>`,
      );
    return `${group === "" ? "" : `<h2>${escapeHtml(group)}</h2>`}<ul>${items.join("")}</ul>`;
  });
  return `<nav aria-label="Pages" class="pages">${groups.join("")}</nav>`;
};

/** Where the search finds what it looks through. */
export const SEARCH_INDEX = "/docs/search.json";

/** Shown by its script: without one there is nothing to search with. */
const searchForm = (
  site: Site,
): string => `<form id="search" class="search" role="search" data-index="${escapeHtml(site.basePath + SEARCH_INDEX)}" hidden>
<label for="search-field">Search the guides and errors</label>
<input id="search-field" type="search" autocomplete="off" spellcheck="false" aria-controls="found">
<p id="found-count" role="status"></p>
<ul id="found"></ul>
</form>`;

/**
 * Lays out rendered text.
 * @param path the path it is served at, without an extension
 * @param html the rendered text
 */
export const textPage = (
  section: "guides" | "errors",
  path: string,
  { title, lead }: Headline,
  html: string,
  siblings: readonly Sibling[],
  site: Site,
): Page => ({
  section,
  title: `${title} · Assay`,
  description: lead,
  aside: pagesSidebar(siblings, path, site),
  content: `${searchForm(site)}\n<article>${html}</article>\n<p class="source"><a href="${escapeHtml(`${site.basePath}${path}.md`)}">This page as Markdown</a></p>`,
  markdownPath: `${path}.md`,
  stylesheets: [],
  scripts: { early: [], late: [] },
});
