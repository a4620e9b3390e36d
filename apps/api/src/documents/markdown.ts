/** Prepares the repository's Markdown for serving: this service's tiers and address, its links, and HTML. */
import { DOCUMENTED_URL, TIER_NAMES, TIER_REACH, type TierCatalog, type TierName } from "@assay/contract";
import { escapeHtml } from "@assay/services";
import { Marked } from "marked";
import type { Site } from "./layout.ts";

export const slugOf = (text: string): string =>
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

/** Markdown as plain text, on one line. */
export const plain = (markdown: string): string =>
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

export const renderMarkdown = (text: string, path: string, site: Site): string => {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${escapeHtml(slugOf(plain(heading)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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

const BEGIN = "<!-- The tier catalog; a test compares it with packages/contract/src/tiers.ts. -->";
const END = "<!-- End of the tier catalog. -->";

const count = (figure: number): string => figure.toLocaleString("en-US").replaceAll(",", " ");

const depth = (name: TierName): string => {
  const { dailyDepthDays: days } = TIER_REACH[name];
  return days === null ? "all" : `${days} days`;
};

const lateness = (name: TierName): string => {
  const { delayMs } = TIER_REACH[name];
  return delayMs === 0 ? "live" : `${delayMs / 60_000} min late`;
};

const intraday = (name: TierName): string => (TIER_REACH[name].intraday ? "yes" : "no");

const row = (name: TierName, { tiers }: TierCatalog): string => {
  const tier = tiers[name];
  const cells = [
    `\`${name}\`${tier.hidden ? " (closed)" : ""}`,
    `$${tier.monthly_price_usd}`,
    count(tier.rate_limit_per_minute),
    count(tier.monthly_quota),
    tier.allowed_bases.join(" "),
    lateness(name),
    depth(name),
    intraday(name),
    tier.commercial_use ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
};

const keylessRow = ({ keyless, tiers }: TierCatalog): string => {
  const { tier, perMinute, perHour } = keyless;
  const cells = [
    "no key",
    "–",
    count(perMinute),
    `${count(perHour)} per hour`,
    tiers[tier].allowed_bases.join(" "),
    lateness(tier),
    depth(tier),
    intraday(tier),
    tiers[tier].commercial_use ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
};

/** The table, between its markers. */
export const tierTable = (catalog: TierCatalog): string =>
  [
    BEGIN,
    "| tier | a month | per minute | per month | metals | prices | daily bars | intraday | commercial use |",
    "|---|---|---|---|---|---|---|---|---|",
    keylessRow(catalog),
    ...TIER_NAMES.map((name) => row(name, catalog)),
    END,
  ].join("\n");

/** Replaces a guide's table with the one of this service. */
export const withTierTable = (text: string, catalog: TierCatalog): string => {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  return from === -1 || to === -1 ? text : text.slice(0, from) + tierTable(catalog) + text.slice(to + END.length);
};
