/**
 * Amounts as people type them: digits of any script, the comma or the point of their language, read as decimal text or refused in
 * words.
 */
import { text as lines } from "../text/text.ts";
import { type Separators, separators, separatorsOf, shown } from "./digits.ts";

/** Why text is no amount. */
type Fault = "empty" | "not_a_number" | "ambiguous" | "too_long" | "too_many_decimals";

/** What was typed, as decimal text in plain notation, or why it is none. */
type Typed = { readonly amount: string } | { readonly fault: Fault };

/** Zeros of the scripts that have digits of their own: Arabic, Persian, Devanagari, Bengali, full width. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];
const ARABIC_DECIMAL = "٫";
const ARABIC_GROUP = "٬";
/** Spaces and apostrophes only ever separate groups. */
const SPACES = /[\s\u00a0\u202f\u2009'’٬]/g;
/** Marks that say which way text runs, which come with pasted figures. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const asciiDigit = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? sign : String(code - zero);
};

/** Whether separators stand where groups of a thousand, or of India's, end. */
const isGrouped = (whole: string, sign: string): boolean => {
  const groups = whole.split(sign);
  const [first = "", ...others] = groups;
  const last = others.pop() ?? "";
  const isFirst = first.length > 0 && first.length <= 3;
  return (
    isFirst && last.length === 3 && (others.every(({ length }) => length === 3) || others.every(({ length }) => length === 2))
  );
};

const DIGITS = /^\d+$/;

const plain = (whole: string, typedFraction: string | undefined): Typed => {
  // The decimals may still be to come.
  const fraction = typedFraction === "" && whole !== "" ? undefined : typedFraction;
  if (!DIGITS.test(whole === "" ? "0" : whole) || (fraction !== undefined && !DIGITS.test(fraction)))
    return { fault: "not_a_number" };
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return { amount: fraction === undefined ? digits : `${digits}.${fraction}` };
};

/** One point or one comma, once: a decimal sign, unless this language groups with it and three digits follow. */
const single = (text: string, sign: string, { decimal }: Separators): Typed => {
  const [whole = "", fraction = ""] = text.split(sign);
  const couldGroup = fraction.length === 3 && whole.length > 0 && whole.length <= 3 && !/^0/.test(whole);
  if (sign !== decimal && couldGroup) return { fault: "ambiguous" };
  return plain(whole, fraction);
};

const read = (text: string, separators: Separators): Typed => {
  const signs = [...text].filter((sign) => sign === "." || sign === ",");
  const last = signs.at(-1);
  if (last === undefined) return plain(text, undefined);
  if (signs.length === 1) return single(text, last, separators);
  const isLastAlone = signs.filter((sign) => sign === last).length === 1;
  const at = isLastAlone ? text.lastIndexOf(last) : text.length;
  const whole = text.slice(0, at);
  const group = isLastAlone ? (signs[0] ?? "") : last;
  // Several signs of one kind group; of two kinds the last one is the decimal sign.
  if (signs.slice(0, isLastAlone ? -1 : undefined).some((sign) => sign !== group) || !isGrouped(whole, group))
    return { fault: "not_a_number" };
  return plain(whole.replaceAll(group, ""), isLastAlone ? text.slice(at + 1) : undefined);
};

/** How much of a figure a form takes. */
interface Bounds {
  readonly digits?: number;
  readonly decimals?: number;
}

/**
 * Reads what was typed into a form.
 * @param text digits of any script with the separators of any language; `1.500` in German is refused, as it may be 1.5 or 1500
 * @param separators those of the reader's language
 */
export const readTyped = (
  text: string,
  separators: Separators = separatorsOf(),
  { digits = 15, decimals = 9 }: Bounds = {},
): Typed => {
  const trimmed = [...text.replace(DIRECTIONS, "").trim()].map(asciiDigit).join("");
  if (trimmed === "") return { fault: "empty" };
  const typed = read(trimmed.replace(SPACES, "").replaceAll(ARABIC_GROUP, "").replaceAll(ARABIC_DECIMAL, "."), {
    ...separators,
    decimal: trimmed.includes(ARABIC_DECIMAL) || separators.decimal === ARABIC_DECIMAL ? "." : separators.decimal,
  });
  if ("fault" in typed) return typed;
  const [whole = "", fraction = ""] = typed.amount.split(".");
  if (whole.length > digits) return { fault: "too_long" };
  return fraction.length > decimals ? { fault: "too_many_decimals" } : typed;
};

/** A figure with decimals, to show how they are written. */
const EXAMPLE = "4.25";

const faultText = (fault: Fault): string => {
  const { figures } = lines();
  const { decimal } = separators.value;
  if (fault === "empty") return figures.missing;
  if (fault === "not_a_number") return figures.notANumber({ decimal, example: shown(EXAMPLE) });
  if (fault === "ambiguous") return figures.ambiguous({ decimal });
  return fault === "too_long" ? figures.tooLong : figures.tooManyDecimals;
};

/** An amount within the bounds of a field, or why it is refused. */
type Refused = { readonly said: string };

/** What a field is read as; an empty one that may be is null. */
export const readField = (typedText: string, isOptional = false): { readonly amount: string | null } | Refused => {
  const typed = readTyped(typedText, separators.value);
  if ("amount" in typed) return typed;
  return typed.fault === "empty" && isOptional ? { amount: null } : { said: faultText(typed.fault) };
};
