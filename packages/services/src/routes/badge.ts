/** The badges of a price and of the sources. */
import { hash } from "node:crypto";
import { type AssayPages, Encoded, type MarketMode, type Verb } from "@assay/contract";
import type { ServiceDeps, VerbContext } from "../context.ts";
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
import { type ShownLanguage, WORDS, writtenPrice } from "../embed/words.ts";
import { availabilityOf, type RecordBook, type RecordSums } from "../market/record-book.ts";
import { marketMode } from "../market/writer-report.ts";

const HEIGHT = 20;
/** Space before and after each text. */
const PADDING = 6;

/**
 * Widths at 11 px, the first that holds: of Verdana's letters where they differ from most, and of those that browsers take for other
 * scripts, as measured. `textLength` makes up for the rest.
 */
const WIDTHS: readonly (readonly [sign: RegExp, width: number])[] = [
  // A virama makes one sign of two letters; other marks stand above or below one.
  [/\u094d/, -5],
  [/\p{Mn}|\p{Cf}/u, 0],
  [/\p{Mc}/u, 2.8],
  [/\p{Script=Devanagari}/u, 6.5],
  [/[اأإآبتثدذلني]/, 4.1],
  [/[سشصضطظ]/, 10],
  [/[\p{Script=Arabic}٠-٩]/u, 6],
  // Signs of Chinese are squares.
  [/\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u, 11],
  [/[ijl.,:;|!' ،٫٬]/, 4.2],
  [/[mwMWOQGDHNU%]/, 8.8],
];
const MOST_LETTERS = 6.9;

/** How wide a text is, in whole pixels; a little wider rather than narrower. */
export const widthOf = (text: string): number =>
  Math.round([...text].reduce((sum, letter) => sum + (WIDTHS.find(([sign]) => sign.test(letter))?.[1] ?? MOST_LETTERS), 0));

const LABELS = { dark: { ground: "#555", ink: "#fff" }, light: { ground: "#e8e4da", ink: "#1f1c16" } } as const;
const GOLD = "#8a6100";
const DULL = "#6e6e6e";

const textAt = (x: number, width: number, text: string, ink: string): string =>
  `<text x="${x}" y="14" fill="${ink}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;

interface Badge {
  readonly label: string;
  readonly value: string;
  readonly isGood: boolean;
}

/** An SVG document without scripts, styles or references: only shapes and text. */
const drawBadge = ({ label, value, isGood }: Badge, theme: keyof typeof LABELS = "dark"): string => {
  const [labelWidth, valueWidth] = [widthOf(label), widthOf(value)];
  const left = labelWidth + 2 * PADDING;
  const width = left + valueWidth + 2 * PADDING;
  const name = escapeHtml(`${label}: ${value}`);
  const { ground, ink } = LABELS[theme];
  const colour = isGood ? GOLD : DULL;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="3" fill="${ground}"/>`,
    `<path d="M${left} 0h${width - left - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1-3 3H${left}z" fill="${colour}"/>`,
    `<g font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    textAt(PADDING, labelWidth, label, ink),
    textAt(left + PADDING, valueWidth, value, "#fff"),
    "</g></svg>\n",
  ].join("");
};

/** For those who open it directly; as an image it may be shown anywhere. */
const BADGE_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/** Units in short; others by their name. */
const SHORT_UNITS: ReadonlyMap<string, string> = new Map([
  ["troy_ounce", "oz"],
  ["pound", "lb"],
  ["gram", "g"],
  ["kg", "kg"],
]);

/** As README files have it: English, and the price as published. */
const plainly = ({ metal, karat, currency, unit, price, stale, delayMinutes, mode }: ShownPrice): Badge => {
  const origin = mode === "live" ? "" : mode === "replay" ? ", replay" : ", simulated";
  const purity = karat === null ? "" : ` ${karat}k`;
  const label = `${metal}${purity}${origin}, ${delayMinutes === 0 ? "live" : `${delayMinutes} min late`}`;
  if (price === null) return { label, value: "no price", isGood: false };
  const reason = stale === null ? "" : ` (${WORDS.en.reasons[stale]})`;
  return {
    label,
    value: `${price} ${currency}/${SHORT_UNITS.get(unit) ?? unitNamed(unit, "en")}${reason}`,
    isGood: stale === null,
  };
};

/** In a language: its words, its digits, and the currency's sign. */
const spoken = (shown: ShownPrice, language: ShownLanguage): Badge => {
  const words = WORDS[language];
  const { unit, price, currency, stale } = shown;
  const label = [subjectOf(shown, language), originOf(shown, language), latenessOf(shown, language)].filter(Boolean).join(" · ");
  if (price === null) return { label, value: words.noPrice, isGood: false };
  const reason = stale === null ? "" : ` (${words.reasons[stale]})`;
  return {
    label,
    value: `${writtenPrice(price, currency, language)} / ${unitNamed(unit, language)}${reason}`,
    isGood: stale === null,
  };
};

/** `GET /badge/{metal}.svg`: draws the price. */
export const getBadge = (deps: ShownPriceDeps): Verb<AssayPages["badge"]["get"], VerbContext> =>
  showingPrice(deps, {
    hasLine: false,
    render: (shown) => ({
      body: drawBadge(shown.language === null ? plainly(shown) : spoken(shown, shown.language), shown.theme ?? "dark"),
      headers: BADGE_HEADERS,
    }),
  });

const badgeOf = ({ records }: RecordSums, mode: MarketMode): Badge => {
  const count = new Set(records.map(({ source }) => source)).size;
  const kind = mode === "live" ? "" : mode === "replay" ? "replayed " : "simulated ";
  const total = { expected: 0, met: 0 };
  for (const { counts } of records) {
    total.expected += counts.expected;
    total.met += counts.met;
  }
  const availability = availabilityOf(total);
  const value = availability === null ? "nothing counted yet" : `${(availability * 100).toFixed(2)} % available`;
  return { label: `${count} ${kind}${count === 1 ? "source" : "sources"}, 24 h`, value, isGood: availability !== null };
};

/** `GET /badge/sources.svg`: draws the sources' availability. */
export const sourcesBadge = (
  { live }: Pick<ServiceDeps, "live">,
  book: RecordBook,
): Verb<AssayPages["badge"]["sourcesBadge"], VerbContext> => {
  const modeNow = marketMode(live);
  return async (_, { nowMs }) => {
    const body = drawBadge(badgeOf(await book.of("24h", nowMs), await modeNow()));
    return new Encoded(body, { etag: `"${hash("sha256", body).slice(0, 32)}"` }, BADGE_HEADERS);
  };
};
