/** Draws a badge: a label and a value side by side, as README files know them. */
import { escapeHtml } from "../embed/escape.ts";
import type { ShownPrice } from "../embed/shown-price.ts";

const HEIGHT = 20;
/** Space before and after each text. */
const PADDING = 6;

/** Widths of Verdana's letters at 11 px, where they differ from most; `textLength` makes up for the rest. */
const NARROW = /[ijl.,:;|!' ]/;
const WIDE = /[mwMWOQGDHNU%]/;
const widthOf = (text: string): number =>
  Math.round([...text].reduce((sum, letter) => sum + (NARROW.test(letter) ? 4.2 : WIDE.test(letter) ? 8.8 : 6.9), 0));

const GREY = "#555";
const GOLD = "#8a6100";
const DULL = "#6e6e6e";

const textAt = (x: number, width: number, text: string): string =>
  `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;

/** The two texts of a badge. */
export const badgeTexts = ({ metal, currency, unit, price, stale, delayMinutes, mode }: ShownPrice) => {
  const origin = mode === "live" ? "" : mode === "replay" ? ", replay" : ", simulated";
  const label = `${metal}${origin}, ${delayMinutes} min late`;
  if (price === null) return { label, value: "no price" };
  return { label, value: `${price} ${currency}/${unit}${stale === null ? "" : ` (${stale})`}` };
};

/** An SVG document without scripts, styles or references: only shapes and text. */
export const badgeSvg = (shown: ShownPrice): string => {
  const { label, value } = badgeTexts(shown);
  const [labelWidth, valueWidth] = [widthOf(label), widthOf(value)];
  const left = labelWidth + 2 * PADDING;
  const width = left + valueWidth + 2 * PADDING;
  const name = escapeHtml(`${label}: ${value}`);
  const colour = shown.price === null || shown.stale !== null ? DULL : GOLD;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="3" fill="${GREY}"/>`,
    `<path d="M${left} 0h${width - left - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1-3 3H${left}z" fill="${colour}"/>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    textAt(PADDING, labelWidth, label),
    textAt(left + PADDING, valueWidth, value),
    "</g></svg>\n",
  ].join("");
};
