/** Figures printed for people: digits of any script, thousands separators, currency symbols. */
import type { DecimalText } from "@assay/contract";
import { FeedError } from "../feed/error.ts";
import { isPublishedFigure } from "./published.ts";

/** The zero of each supported script: western, Arabic, Persian, Devanagari. */
const ZEROS = ["0", "\u0660", "\u06f0", "\u0966"];

/** The thousands separator; the other of the two is the decimal separator. */
type Grouping = "comma" | "point";

const MARKS = { comma: { group: ",", decimal: "." }, point: { group: ".", decimal: "," } } as const;
/** Arabic separators are unambiguous. */
const ARABIC = { group: "\u066c", decimal: "\u066b" } as const;

const zeroOf = (digit: string): string | undefined =>
  ZEROS.find((zero) => digit >= zero && digit.charCodeAt(0) - zero.charCodeAt(0) <= 9);

/** The text in western digits; null where its digits are of an unknown script, or of two. */
const western = (text: string): string | null => {
  const scripts = new Set((text.match(/\p{Nd}/gu) ?? []).map(zeroOf));
  const [zero] = scripts;
  if (zero === undefined || scripts.size > 1) return null;
  return text.replace(/\p{Nd}/gu, (digit) => String(digit.charCodeAt(0) - zero.charCodeAt(0)));
};

const PLAIN = /^(?<whole>[0-9]+)((?<mark>[^0-9])(?<decimals>[0-9]+))?$/;
const GROUPED = /^(?<whole>[0-9]{1,3}(?<group>[^0-9])[0-9]{3}(\k<group>[0-9]{3})*)((?<mark>[^0-9])(?<decimals>[0-9]+))?$/;

/**
 * A printed figure as plain decimal text, with its digits preserved.
 *
 * `7.015` can mean seven and a bit or, with dots as thousands separators, seven thousand: a single separator followed by three
 * digits is refused, whichever it is, unless it is the publisher's thousands separator.
 * @param text the figure and nothing else
 * @param grouping the publisher's thousands separator
 * @returns null when it is not a positive figure in that format, or is ambiguous
 */
export const printedFigure = (text: string, grouping: Grouping): DecimalText | null => {
  const digits = western(text);
  if (digits === null) return null;
  const { group, decimal } = MARKS[grouping];
  const grouped = GROUPED.exec(digits)?.groups;
  const isGrouped = grouped?.group === group || grouped?.group === ARABIC.group;
  const { whole = "", mark, decimals } = (isGrouped ? grouped : PLAIN.exec(digits)?.groups) ?? {};
  if (mark !== undefined && mark !== decimal && mark !== ARABIC.decimal) return null;
  const isAmbiguous = !isGrouped && mark === decimal && decimals?.length === 3 && whole.length <= 3 && whole !== "0";
  const figure = `${whole.replace(/[^0-9]/g, "")}${decimals === undefined ? "" : `.${decimals}`}`;
  return !isAmbiguous && isPublishedFigure(figure) ? figure : null;
};

const EXAMPLES = { comma: "1,234.50", point: "1.234,50" } as const;

/** A publisher's price format. */
interface PriceForm {
  readonly grouping: Grouping;
  /** The printed currency or unit before the figure. */
  readonly before?: string;
  /** The printed currency or unit after the figure. */
  readonly after?: string;
}

/**
 * A printed price.
 * @param text the price with its currency, and nothing else
 * @param what its name in the error
 * @throws FeedError when the format differs, so that another currency or unit is never mistaken for this one
 */
export const printedPrice = (text: string, what: string, { grouping, before = "", after = "" }: PriceForm): DecimalText => {
  const isOfForm = text.startsWith(before) && text.endsWith(after);
  const figure = isOfForm && printedFigure(text.slice(before.length, text.length - after.length).trim(), grouping);
  if (figure) return figure;
  const form = [before, EXAMPLES[grouping], after].filter((part) => part !== "").join(" ");
  throw new FeedError("payload", `unexpected ${what}: must be of the form ${form}`);
};
