/** Messages in ICU MessageFormat, as functions of their arguments in the locale of the reader. */
import { IntlMessageFormat } from "intl-messageformat";
import type { ComponentChildren } from "preact";

/** A part of a page within a message, such as a figure or a link. */
export type Part = ComponentChildren;

/**
 * A message with arguments, given by name: of texts it is text; of parts of a page it is what stands between tags, in the order of
 * its language. Counts choose forms of words and have the reader's digits.
 */
export interface Message<Texts extends string, Counts extends string = never> {
  (args: Readonly<Record<Texts, string> & Record<Counts, number>>): string;
  (args: Readonly<Record<Texts, Part> & Record<Counts, number>>): Part;
}

/** Messages by name, in groups: the shape of a language's file. */
export interface Messages {
  readonly [name: string]: string | Messages;
}

/** Whether a message has arguments, which only a message with braces can. */
export const isWithArguments = (message: string): boolean => message.includes("{");

type Parsed = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>;

/** The same as built: those with arguments are parsed. */
interface Built {
  readonly [name: string]: string | Parsed | Built;
}

/** Made when it is first shown: a page shows a tenth of all. */
const functionOf = (message: string | Parsed, locale: string) => {
  let format: IntlMessageFormat | undefined;
  return (args: Readonly<Record<string, Part>>): Part => {
    format ??= new IntlMessageFormat(message, locale);
    return format.format<Part>(args);
  };
};

/**
 * The messages of a language; those without arguments are text.
 * @param messages as built, or as written
 */
export const bind = (messages: Messages | Built, locale: string): object =>
  Object.fromEntries(
    Object.entries(messages).map(([name, value]) => {
      if (Array.isArray(value) || (typeof value === "string" && isWithArguments(value))) return [name, functionOf(value, locale)];
      return [name, typeof value === "string" ? value : bind(value, locale)];
    }),
  );
