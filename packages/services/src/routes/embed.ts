/**
 * GET /embed/{metal}: the price that callers without a key see as a page for a frame: its style and a few lines of script, in one
 * document.
 */
import { createHash } from "node:crypto";
import { type AssayPages, formatTimestamp, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import {
  escapeHtml,
  latenessOf,
  originOf,
  type ShownPrice,
  type ShownPriceDeps,
  showingPrice,
  subjectOf,
  unitNamed,
} from "../embed/shown-price.ts";
import type { Sparkline } from "../embed/sparkline.ts";
import { isRightToLeft, type ShownLanguage, WORDS, writtenCount, writtenMoment, writtenPrice } from "../embed/words.ts";

const STYLE = `:root{color-scheme:light dark;font:16px/1.4 system-ui,sans-serif}
:root[data-theme=light]{color-scheme:light;background:#fff;color:#1f1c16}
:root[data-theme=dark]{color-scheme:dark;background:#191814;color:#efeade}
body{margin:0}
main{padding:1rem;display:grid;gap:.25rem}
h1,p{margin:0;font-weight:400;font-size:1rem}
.price{font-size:2rem;font-variant-numeric:tabular-nums;line-height:1.2}
svg{width:100%;max-width:15rem;height:2.5rem}
polyline{fill:none;stroke:#b8862b;stroke-width:2;vector-effect:non-scaling-stroke}
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
const embedPolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(" ")}`,
  ].join("; ");

const plainMoment = (computedAtMs: number): string => {
  const text = formatTimestamp(computedAtMs);
  return `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
};

const timeOf = (computedAtMs: number, language: ShownLanguage | null): string => {
  const text = language === null ? plainMoment(computedAtMs) : writtenMoment(computedAtMs, language);
  return `<time datetime="${escapeHtml(formatTimestamp(computedAtMs))}">${escapeHtml(text)}</time>`;
};

/** The price as published beside its code, or as the language writes it, which no other text may turn around. */
const figureOf = ({ price, currency, language }: ShownPrice): string => {
  if (price === null) return escapeHtml(WORDS[language ?? "en"].noPrice);
  return language === null
    ? `${escapeHtml(price)} <small>${escapeHtml(currency)}</small>`
    : `<bdi>${escapeHtml(writtenPrice(price, currency, language))}</bdi>`;
};

const lineOf = (line: Sparkline | null, language: ShownLanguage): string => {
  if (line === null) return "";
  const name = escapeHtml(WORDS[language].closes(writtenCount(line.days, language)));
  return `<svg viewBox="${line.viewBox}" role="img" aria-label="${name}"><title>${name}</title><polyline points="${line.points}"/></svg>\n`;
};

/** The page. Its link leads to the console that serves it, under whatever path that is. */
const embedPage = (shown: ShownPrice): string => {
  const { currency, unit, computedAtMs, stale, theme, line } = shown;
  const language = shown.language ?? "en";
  const words = WORDS[language];
  const subject = subjectOf(shown, language);
  const origin = originOf(shown, language);
  const moment = computedAtMs === null ? "" : `, ${words.of}${timeOf(computedAtMs, shown.language)}`;
  const staleNote = stale === null ? "" : ` ${escapeHtml(`${words.stale}: ${words.reasons[stale]}${words.end}`)}`;
  const colours = theme === null ? "" : ` data-theme="${theme}"`;
  return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ""}${colours}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? "light dark"}">
<title>${escapeHtml(`${subject} · ${currency}`)}</title>
<noscript><meta http-equiv="refresh" content="60"></noscript>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(words.per(subject, unitNamed(unit, language)))}</h1>
<p class="price">${figureOf(shown)}</p>
${lineOf(line, language)}<p class="note">${origin === "" ? "" : `${escapeHtml(origin + words.end)} `}${escapeHtml(latenessOf(shown, language))}${moment}${words.end}${staleNote}</p>
<p class="note lost" role="status">${escapeHtml(words.lost)}</p>
<p class="note"><a href="../" target="_blank" rel="noopener noreferrer">Assay</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
};

/**
 * Writes the page.
 * @param origins whose pages may frame it
 */
export const getEmbed = (deps: ShownPriceDeps, origins: readonly string[]): Verb<AssayPages["embed"]["get"], VerbContext> => {
  const headers = {
    "Content-Security-Policy": embedPolicy(origins),
    "Referrer-Policy": "no-referrer",
    // Browsers that know frame-ancestors ignore it, and the others know no list.
    ...(origins.length === 0 ? { "X-Frame-Options": "DENY" } : {}),
  };
  return showingPrice(deps, { hasLine: true, render: (shown) => ({ body: embedPage(shown), headers }) });
};
