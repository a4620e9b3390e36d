/** The site, and the layout of its pages: the head, the navigation bar, the notice about simulated prices, and the sidebar. */
import { type TierCatalog, VERSION } from "@assay/contract";
import { escapeHtml } from "@assay/services";

/** The service as documents describe it. */
export interface Site {
  /** Base of absolute links, without a trailing slash. */
  readonly publicUrl: string;
  /** The path prefix, when a proxy serves the service under a path. */
  readonly basePath: string;
  readonly version: string;
  readonly catalog: TierCatalog;
  readonly hasConsole: boolean;
}

export const siteOf = (publicUrl: string, catalog: TierCatalog, hasConsole = false): Site => ({
  publicUrl: publicUrl.replace(/\/+$/, ""),
  basePath: new URL(publicUrl).pathname.replace(/\/+$/, ""),
  version: VERSION,
  catalog,
  hasConsole,
});

/** The console, listed before the sections where it is served. */
const CONSOLE = ["console", "Console", "/"] as const;

/** The sections of the site, as listed in the bar. */
const SECTIONS = [
  ["reference", "Reference", "/docs"],
  ["guides", "Guides", "/docs/guides"],
  ["errors", "Errors", "/docs/errors"],
  ["openapi", "openapi.json", "/openapi.json"],
  ["llms", "llms.txt", "/llms.txt"],
] as const;

export interface Page {
  readonly section: (typeof SECTIONS)[number][0];
  readonly title: string;
  readonly description: string;
  readonly aside: string;
  readonly content: string;
  /** Where the Markdown version is; null when there is none. */
  readonly markdownPath: string | null;
  readonly stylesheets: readonly string[];
  /** Scripts that run before the page is shown, and after it has loaded. */
  readonly scripts: { readonly early: readonly string[]; readonly late: readonly string[] };
}

export interface SharedAssets {
  readonly icon: string;
  readonly stylesheet: string;
}

const BANNER =
  '<p class="banner" role="note"><strong>Simulated prices.</strong> This service makes its market up. No figure it answers is a market price.</p>';

const link = (section: string, current: string, label: string, href: string): string =>
  `<a href="${href}"${section === current ? ' aria-current="page"' : ""}>${label}</a>`;

/**
 * Lays out a page.
 * @param isSimulated whether any price of the service is simulated
 */
export const frame = (page: Page, site: Site, assets: SharedAssets, isSimulated: boolean): string => {
  const at = (path: string): string => escapeHtml(`${site.basePath}${path}`);
  const listed = site.hasConsole ? [CONSOLE, ...SECTIONS] : SECTIONS;
  const early = page.scripts.early.map((path) => `<script src="${at(path)}"></script>`);
  const late = page.scripts.late.map((path) => `<script src="${at(path)}" defer></script>`);
  const styles = [...page.stylesheets, assets.stylesheet].map((path) => `<link rel="stylesheet" href="${at(path)}">`);
  const alternate =
    page.markdownPath === null ? [] : [`<link rel="alternate" type="text/markdown" href="${at(page.markdownPath)}">`];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" type="image/svg+xml" href="${at(assets.icon)}">
${[...alternate, ...styles, ...early, ...late].join("\n")}
</head>
<body class="${page.section}">
<a class="skip" href="#content">To the content</a>
<header class="bar">
<a class="brand" href="${at("/docs")}"><img src="${at(assets.icon)}" width="28" height="28" alt="">Assay <span class="version">${site.version}</span></a>
<nav aria-label="Documents">${listed.map(([section, label, path]) => link(section, page.section, label, at(path))).join("")}</nav>
</header>
${isSimulated ? BANNER : ""}
<div class="columns">
<aside>${page.aside}</aside>
<main id="content">
${page.content}
</main>
</div>
</body>
</html>
`;
};
