/** The embedded page: one price, its style and a few lines of script, in one document. */
import { createHash } from "node:crypto";
import { formatTimestamp } from "@assay/contract";
import { escapeHtml } from "./escape.ts";
import type { ShownPrice } from "./shown-price.ts";

const STYLE = `:root{color-scheme:light dark;font:16px/1.4 system-ui,sans-serif}
body{margin:0}
main{padding:1rem;display:grid;gap:.25rem}
h1,p{margin:0;font-weight:400;font-size:1rem}
.price{font-size:2rem;font-variant-numeric:tabular-nums;line-height:1.2}
.note{font-size:.8125rem;opacity:.8}
time{white-space:nowrap}
.lost{display:none}
main[data-lost] .lost{display:block}
a{color:inherit}`;

/** Asks once a minute while the page is looked at; a price that cannot be renewed stays, and says so. */
const SCRIPT = `"use strict";
const renew = async () => {
  if (document.hidden) return;
  const shown = document.querySelector("main");
  try {
    const response = await fetch(location.href);
    if (!response.ok) throw new Error(response.status);
    const next = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("main");
    shown.replaceWith(document.adoptNode(next));
  } catch {
    shown.dataset.lost = "";
  }
};
setInterval(renew, 60000);
document.addEventListener("visibilitychange", renew);`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The policy of the page: its own style and script, known by their hashes, its own address, and nothing else.
 * @param origins whose pages may frame it
 */
export const embedPolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(" ")}`,
  ].join("; ");

const ORIGINS = { live: "", replay: "Replayed, not a market price. ", simulated: "Simulated, not a market price. " } as const;

const UNITS: Readonly<Record<string, string>> = { oz: "troy ounce", lb: "pound" };

const timeOf = (computedAtMs: number): string => {
  const text = formatTimestamp(new Date(computedAtMs));
  return `<time datetime="${escapeHtml(text)}">${escapeHtml(`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`)}</time>`;
};

/** The page. Its link leads to the console that serves it, under whatever path that is. */
export const embedPage = ({ metal, currency, unit, price, computedAtMs, stale, delayMinutes, mode }: ShownPrice): string => {
  const name = escapeHtml(`${metal.charAt(0).toUpperCase()}${metal.slice(1)}`);
  const figure = price === null ? "No price" : `${escapeHtml(price)} <small>${escapeHtml(currency)}</small>`;
  const moment = computedAtMs === null ? "" : `, of ${timeOf(computedAtMs)}`;
  const staleNote = stale === null ? "" : ` Stale: ${escapeHtml(stale)}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} in ${escapeHtml(currency)}</title>
<noscript><meta http-equiv="refresh" content="60"></noscript>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${name}, per ${escapeHtml(UNITS[unit] ?? unit)}</h1>
<p class="price">${figure}</p>
<p class="note">${ORIGINS[mode]}${delayMinutes} minutes late${moment}.${staleNote}</p>
<p class="note lost" role="status">Not renewed: the service does not answer.</p>
<p class="note"><a href="../" target="_blank" rel="noopener noreferrer">Assay</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
};
