/** Published figures as people read them: every digit kept, the locale's separators added to the text. */

/** How a locale separates the digits of a number. */
export interface Separators {
  readonly group: string;
  readonly decimal: string;
  /** Digits of the group before the decimal sign, and of those further left. */
  readonly sizes: readonly [first: number, others: number];
}

/** A number with several groups: only its separators are read. */
const SAMPLE = 1_234_567_890.5;

/**
 * Reads how a locale separates digits.
 * @param locale a BCP 47 tag; the browser's own when omitted
 */
export const separatorsOf = (locale?: string): Separators => {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(SAMPLE);
  const textOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const integers = parts.filter(({ type }) => type === "integer");
  const first = integers.at(-1)?.value.length ?? 3;
  return { group: textOf("group"), decimal: textOf("decimal") || ".", sizes: [first, integers.at(-2)?.value.length ?? first] };
};

const PLAIN = /^([+-]?)(\d+)(?:\.(\d+))?$/;

const grouped = (digits: string, { group, sizes: [first, others] }: Separators): string => {
  const groups = [digits.slice(-first)];
  for (let rest = digits.slice(0, -first); rest.length > 0; rest = rest.slice(0, -others)) groups.unshift(rest.slice(-others));
  return groups.join(group);
};

/**
 * Separates the digits of a figure; text that is no plain decimal is returned as it is.
 * @param figure decimal text in plain notation, as the service publishes it
 */
export const separate = (figure: string, separators: Separators): string => {
  const [, sign = "", whole, fraction] = PLAIN.exec(figure) ?? [];
  if (whole === undefined) return figure;
  const shownSign = sign === "-" ? "−" : sign;
  return `${shownSign}${grouped(whole, separators)}${fraction === undefined ? "" : separators.decimal + fraction}`;
};
