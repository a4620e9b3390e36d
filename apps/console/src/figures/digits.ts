/**
 * Published figures as the reader's language writes them, every digit kept: separators are added to the text, its digits are
 * written in the locale's script, or its point is moved.
 */
import { computed } from "@preact/signals";
import { locale, text } from "../text/text.ts";

/** How a locale writes a number: its separators, its digits, and its sign of percent. */
export interface Separators {
  readonly group: string;
  readonly decimal: string;
  /** Digits of the group before the decimal sign, and of those further left. */
  readonly sizes: readonly [first: number, others: number];
  /** From zero to nine. */
  readonly digits: readonly string[];
  readonly percent: string;
}

/** A number with several groups: only its separators are read. */
const SAMPLE = 1_234_567_890.5;
const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** Marks that say which way text runs: here figures are set apart by their elements. */
const DIRECTIONS = /[\u061c\u200e\u200f]/g;

/**
 * Reads how a locale writes numbers.
 * @param locale a BCP 47 tag; the browser's own when omitted
 */
export const separatorsOf = (locale?: string): Separators => {
  const format = new Intl.NumberFormat(locale);
  const parts = format.formatToParts(SAMPLE);
  const textOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const integers = parts.filter(({ type }) => type === "integer");
  const first = integers.at(-1)?.value.length ?? 3;
  const percents = new Intl.NumberFormat(locale, { style: "percent" }).formatToParts(1);
  return {
    group: textOf("group"),
    decimal: textOf("decimal") || ".",
    sizes: [first, integers.at(-2)?.value.length ?? first],
    digits: DIGITS.map((digit) => format.format(digit)),
    percent: percents.find(({ type }) => type === "percentSign")?.value.replaceAll(DIRECTIONS, "") ?? "%",
  };
};

/** Decimal text in plain notation, as the service publishes it. */
const PLAIN = /^([+-]?)(\d+)(?:\.(\d+))?$/;

const grouped = (digits: string, { group, sizes: [first, others] }: Separators): string => {
  const groups = [digits.slice(-first)];
  for (let rest = digits.slice(0, -first); rest.length > 0; rest = rest.slice(0, -others)) groups.unshift(rest.slice(-others));
  return groups.join(group);
};

const inScript = (figure: string, { digits }: Separators): string =>
  figure.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);

/**
 * Separates the digits of a figure; text that is no plain decimal is returned as it is.
 * @param figure decimal text in plain notation, as the service publishes it
 */
export const separate = (figure: string, separators: Separators): string => {
  const [, sign = "", whole, fraction] = PLAIN.exec(figure) ?? [];
  if (whole === undefined) return figure;
  const shownSign = sign === "-" ? "−" : sign;
  return (
    shownSign + inScript(grouped(whole, separators) + (fraction === undefined ? "" : separators.decimal + fraction), separators)
  );
};

/**
 * A share in percent: `0.748413` is `74.8413`.
 * @param share decimal text, or a JSON number as published
 * @returns the same digits, the point two places further right; other text as it is
 */
export const asPercent = (share: string | number): string => {
  const figure = String(share);
  const [, sign = "", whole, fraction = ""] = PLAIN.exec(figure) ?? [];
  if (whole === undefined) return figure;
  const padded = fraction.padEnd(2, "0");
  const digits = `${whole}${padded.slice(0, 2)}`.replace(/^0+(?=\d)/, "");
  const rest = padded.slice(2);
  return `${sign}${digits}${rest === "" ? "" : `.${rest}`}`;
};

/** The separators and digits of the reader's language. */
export const separators = computed(() => separatorsOf(locale.value));

/** A figure as text, for labels of charts and attributes. */
export const shown = (figure: string): string => separate(figure, separators.value);

export const percentText = (figure: string): string =>
  text().figures.percent({ figure: shown(figure), sign: separators.value.percent });
