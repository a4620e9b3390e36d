/** The types of the console's messages, read from its English ones: which take arguments, and of what kind. */
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";

/** Messages by name, in groups. */
export interface Messages {
  readonly [name: string]: string | Messages;
}

/** What an argument is: text (or a part of a page), a choice between texts, or a count. */
export type ArgumentKind = "text" | "choice" | "count";

const argumentsIn = (elements: readonly MessageFormatElement[]): readonly (readonly [string, ArgumentKind])[] =>
  elements.flatMap((element): readonly (readonly [string, ArgumentKind])[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.argument:
        return [[element.value, "text"]];
      case TYPE.number:
        return [[element.value, "count"]];
      case TYPE.plural:
      case TYPE.select: {
        const kind = element.type === TYPE.plural ? "count" : "choice";
        const within = Object.values(element.options).flatMap(({ value }) => argumentsIn(value));
        return [[element.value, kind], ...within.filter(([name]) => name !== element.value)];
      }
      default:
        throw new Error(`an argument of a kind that the console does not format: ${JSON.stringify(element)}`);
    }
  });

/**
 * The arguments of a message, by name.
 * @param message in ICU MessageFormat
 * @throws when it does not parse, or names an argument twice as different kinds
 */
export const argumentsOf = (message: string): ReadonlyMap<string, ArgumentKind> => {
  const found = new Map<string, ArgumentKind>();
  for (const [name, kind] of argumentsIn(parse(message))) {
    if ((found.get(name) ?? kind) !== kind) throw new Error(`${name} is of two kinds in: ${message}`);
    found.set(name, kind);
  }
  return found;
};

const union = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(" | ") || "never";

const typeOf = (message: string): string => {
  const found = [...argumentsOf(message)];
  if (found.length === 0) return "string";
  const texts = found.filter(([, kind]) => kind !== "count").map(([name]) => name);
  const counts = found.filter(([, kind]) => kind === "count").map(([name]) => name);
  return `Message<${union(texts)}${counts.length === 0 ? "" : `, ${union(counts)}`}>`;
};

const nameOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

const groupLines = (messages: Messages, indent: string): readonly string[] =>
  Object.entries(messages).flatMap(([name, value]) =>
    typeof value === "string"
      ? [`${indent}readonly ${nameOf(name)}: ${typeOf(value)};`]
      : [`${indent}readonly ${nameOf(name)}: {`, ...groupLines(value, `${indent}  `), `${indent}};`],
  );

/** The text of the file with the types of messages. */
export const messageTypesFile = (messages: Messages): string =>
  [
    "/** The messages of the console and their arguments. Made by `npm run gen` from `en.json`; what is changed here is lost. */",
    'import type { Message } from "../message.ts";',
    "",
    "/** Every message: plain text, or a function of its arguments. */",
    "export interface Text {",
    ...groupLines(messages, "  "),
    "}",
    "",
  ].join("\n");
