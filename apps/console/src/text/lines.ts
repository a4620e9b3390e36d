/** What the lines of a language are made of: words, figures in them, and parts of a page in them. */
import type { ComponentChildren } from "preact";

/** A part of a page within a line, such as a figure or a link. */
export type Part = ComponentChildren;

/** A line with parts of a page in it, to be put between tags. */
export type Line = readonly Part[];

/**
 * A line with parts of a page in it, in the order of its language.
 * @example line`Works until ${when}.`
 */
export const line = (words: TemplateStringsArray, ...parts: readonly Part[]): Line =>
  words.flatMap((word, at) => (at < parts.length ? [word, parts[at]] : [word]));

/** A line as text, where its parts are text. */
export const plain = (parts: Line): string => parts.join("");

/** Text set apart from what is around it, where that may run the other way. */
export const apart = (text: string): string => `\u2068${text}\u2069`;

/** A name that no line breaks at its hyphens. */
export const unbroken = (name: string): string => name.replaceAll("-", "\u2011");

/** A count within a line: as text it has the reader's digits; `of` chooses the form of the word beside it. */
export interface Count {
  readonly of: number;
  toString(): string;
}

/** The forms of a word beside a count; `other` stands for those that are missing. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** How a language chooses the form of a word by a count. */
export const formsOf = (language: string): ((count: Count, forms: Forms) => string) => {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count.of)] ?? forms.other;
};
