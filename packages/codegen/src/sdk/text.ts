/** Formats text as the repository's formatter would, and rewrites the contract's descriptions with the SDK's names. */
import type { Field, SdkModel, Type } from "./model.ts";
import { camelCase } from "./names.ts";

/** The repository's line width. */
export const LINE_WIDTH = 130;

/** The header of every generated file. */
export const MADE_BY = "Made by `npm run gen` from packages/contract; what is changed here is lost.";

/** Adds a full stop where the sentence has none. */
export const sentence = (text: string): string => (text === "" || /[.!?:]$/.test(text) ? text : `${text}.`);

/** Wraps text at spaces, but never inside `{@link Name}`. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+(?![^{]*\})/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

/**
 * A documentation comment.
 * @param paragraphs each wrapped separately; an empty one gives an empty line, one that starts with two spaces is not wrapped
 * @param indent prefix of each line
 */
export const docComment = (paragraphs: readonly string[], indent = ""): string[] => {
  const [only] = paragraphs;
  if (paragraphs.length === 1 && only !== undefined && `${indent}/** ${only} */`.length <= LINE_WIDTH)
    return [`${indent}/** ${only} */`];
  const width = LINE_WIDTH - indent.length - " * ".length;
  const lines = paragraphs.flatMap((paragraph) => {
    if (paragraph.startsWith("  ")) return [paragraph.slice(2)];
    const [first = "", ...rest] = wrap(paragraph, paragraph.startsWith("@") ? width - 2 : width);
    return [first, ...rest.map((line) => (paragraph.startsWith("@") ? `  ${line}` : line))];
  });
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
};

/**
 * A bracketed list: on one line where it fits, otherwise one item per line.
 * @param before text before the opening bracket
 * @param after text after the closing bracket
 */
export const bracketed = (
  before: string,
  brackets: readonly [string, string],
  items: readonly string[],
  after: string,
  indent = "",
): string[] => {
  const [open, close] = brackets;
  const padding = open === "{" ? " " : "";
  const line = `${indent}${before}${open}${padding}${items.join(", ")}${padding}${close}${after}`;
  if (line.length <= LINE_WIDTH && !items.some((item) => item.includes("\n"))) return [line];
  return [`${indent}${before}${open}`, ...items.map((item) => `${indent}  ${item},`), `${indent}${close}${after}`];
};

/** An import statement with names sorted as the formatter sorts them; empty for no names. */
export const importOf = (names: readonly string[], from: string, isType = true): string[] => {
  if (names.length === 0) return [];
  const sorted = [...new Set(names)].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1));
  return bracketed(`import ${isType ? "type " : ""}`, ["{", "}"], sorted, ` from "${from}";`);
};

/** A union on one line where it fits, otherwise one member per line. */
export const unionAlias = (name: string, members: readonly string[]): string[] => {
  const line = `export type ${name} = ${members.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return [line];
  return [`export type ${name} =`, ...members.map((member, index) => `  | ${member}${index === members.length - 1 ? ";" : ""}`)];
};

/** A file: header, parts separated by blank lines, final newline. */
export const fileText = (about: string, imports: readonly string[], parts: readonly (readonly string[])[]): string => {
  const head = [...docComment([about, "", MADE_BY]), ...imports];
  return `${[head, ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
};

/** Every wire name that is spelled differently in the SDK. */
const wireNames = (model: SdkModel): ReadonlySet<string> => {
  const objects = [...model.declarations.values(), ...model.inputs.values(), ...model.errorDeclarations.values()];
  const fields = objects.flatMap((declaration) => (declaration.kind === "object" ? declaration.fields : []));
  const all = [
    ...fields,
    ...model.methods.flatMap(({ parameters }) => parameters),
    ...model.errors.flatMap((error) => error.fields),
  ];
  return new Set(all.map(({ wireName }) => wireName).filter((name) => name.includes("_")));
};

/** Renames wire fields in descriptions, for example `next_cursor` to `nextCursor`. */
export const translator = (model: SdkModel): ((description: string) => string) => {
  const names = wireNames(model);
  return (description) =>
    description.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => (names.has(word) ? camelCase(word) : word));
};

const kindOf = (type: Type): Type["kind"] => (type.kind === "nullable" ? kindOf(type.of) : type.kind);

/** Facts about a field that its decoded type does not show. */
const formOf = (field: Field, isGiven: boolean): string => {
  if (kindOf(field.type) === "day")
    return isGiven ? "Text: a Date, which has no day without a time zone, is refused." : "A UTC calendar day, YYYY-MM-DD.";
  return "";
};

const writtenDefault = (value: unknown): string => (value === undefined ? "" : `Default \`${String(value)}\`.`);

/** A field's description, with its format and default where they matter. */
export const describeField = (field: Field, isGiven = false): string =>
  [
    sentence(isGiven ? field.description.replace(", comma-separated", "") : field.description),
    formOf(field, isGiven),
    writtenDefault(field.whenAbsent),
  ]
    .filter((part) => part !== "")
    .join(" ");
