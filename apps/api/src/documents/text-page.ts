/** Guides and error pages as HTML. */
import { escapeHtml } from "@assay/services";
import type { Page } from "./layout.ts";
import type { Headline } from "./markdown.ts";
import type { Site } from "./site.ts";

/** A page in its group. */
export interface Sibling {
  readonly path: string;
  readonly label: string;
}

const sidebar = (siblings: readonly Sibling[], current: string, site: Site): string =>
  `<nav aria-label="Pages" class="pages"><ul>${siblings
    .map(
      ({ path, label }) =>
        `<li><a href="${escapeHtml(site.basePath + path)}"${path === current ? ' aria-current="page"' : ""}>${escapeHtml(label)}</a></li>`,
    )
    .join("")}</ul></nav>`;

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
  aside: sidebar(siblings, path, site),
  content: `<article>${html}</article>\n<p class="source"><a href="${escapeHtml(`${site.basePath}${path}.md`)}">This page as Markdown</a></p>`,
  markdownPath: `${path}.md`,
  stylesheets: [],
  scripts: { early: [], late: [] },
});
