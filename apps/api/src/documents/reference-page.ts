/** The reference: every route with its parameters and answers, with a form to send requests with a key. */
import { type Contract, contract, operationId, pages, type Route, streams } from "@assay/contract";
import { escapeHtml } from "@assay/services";
import type { Assets } from "./assets.ts";
import type { Page } from "./layout.ts";
import type { Site } from "./site.ts";

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

const sidebar = (): string => {
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
  aside: sidebar(),
  content: `${keyForm}
<noscript><p class="notice">The reference is drawn by a script. Without one, read <a href="${escapeHtml(site.basePath)}/openapi.json">openapi.json</a>
or the <a href="${escapeHtml(site.basePath)}/docs/guides">guides</a>.</p></noscript>
<div id="reference" data-base="${escapeHtml(site.basePath)}"><p class="notice">Loading the reference…</p></div>`,
  markdownPath: null,
  stylesheets: [assets.libraryStylesheet.path, assets.libraryOverlay.path, assets.referenceStylesheet.path],
  scripts: { early: [assets.theme.path], late: [assets.library.path, assets.reference.path] },
});
