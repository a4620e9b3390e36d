/** Prepares the repository's Markdown for serving: rewrites links, and renders HTML. */
import { DOCUMENTED_URL } from "@assay/contract";
import { escapeHtml } from "@assay/services";
import { Marked } from "marked";
import type { Site } from "./site.ts";

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/**
 * Resolves a page's link among the served documents.
 * @param path the page's path in the repository: `docs/guides/limits.md`
 * @returns a path without an extension; null for a link outside the documents
 */
const servedPath = (href: string, path: string): { readonly path: string; readonly anchor: string } | null => {
  if (/^([a-z]+:|#)/i.test(href)) return null;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  if (!pathname.endsWith(".md")) return null;
  return { path: pathname.slice(0, -".md".length).replace(/\/README$/, ""), anchor: hash };
};

/** Adapts a Markdown page to this service: its address in place of the documented one, its links absolute. */
export const servedMarkdown = (text: string, path: string, site: Site): string =>
  text
    .replaceAll(DOCUMENTED_URL, site.publicUrl)
    .replace(/^<!--.*?-->\n/gm, "")
    .replace(/\]\(([^)\s]+)\)/g, (whole, href: string) => {
      const served = servedPath(href, path);
      return served === null ? whole : `](${site.publicUrl}${served.path}.md${served.anchor})`;
    });

/** A page's title and first paragraph, as plain text; extracted without rendering. */
export interface Headline {
  readonly title: string;
  /** Its first paragraph. */
  readonly lead: string;
}

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** The first heading and the first paragraph of a page. */
export const headlineOf = (text: string): Headline => {
  const [, title = "", lead = ""] = /^# (.+)\n\n((?:.+\n)+)/m.exec(text) ?? [];
  return { title: plain(title), lead: plain(lead) };
};

/** Renders a page of the repository. */
export const renderMarkdown = (text: string, path: string, site: Site): string => {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        return `<h${depth} id="${escapeHtml(slugOf(html))}">${html}</h${depth}>\n`;
      },
      image({ href, text }) {
        const { pathname } = new URL(href, `file:///${path}`);
        return `<img src="${escapeHtml(`${site.basePath}${pathname}`)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      link({ href, tokens }) {
        const served = servedPath(href, path);
        const target =
          served === null ? href.replace(/^\//, `${site.basePath}/`) : `${site.basePath}${served.path}${served.anchor}`;
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const source = text.replaceAll(DOCUMENTED_URL, site.publicUrl).replace(/^<!--.*?-->\n/gm, "");
  return (
    // Without the extension it works everywhere.
    (marked.parse(source, { async: false }) as string)
      // A wide table scrolls on its own, not with the page.
      .replaceAll("<table>", '<div class="wide"><table>')
      .replaceAll("</table>", "</table></div>")
  );
};
