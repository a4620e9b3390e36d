/** Text as the repository's formatter would leave it: lines, comments, lists. */

/** The repository's line width. */
export const LINE_WIDTH = 130;

/** What every made file says of itself. */
export const MADE_BY = "Made by `npm run gen` from packages/contract; what is changed here is lost.";

/** Ends a sentence that has no end yet. */
export const sentence = (text: string): string => (text === "" || /[.!?:]$/.test(text) ? text : `${text}.`);

/** Breaks text at spaces, but not inside of `{@link Name}`. */
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
 * @param paragraphs each wrapped on its own; an empty one is an empty line, one that begins with two spaces stands as it is
 * @param indent what stands before each line
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
 * A bracketed list: on one line where it fits, else one item a line.
 * @param before what stands before the opening bracket
 * @param after what stands behind the closing one
 * @param indent of the line it stands on
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

/** An import of names, sorted as the formatter sorts them; nothing for no names. */
export const importOf = (names: readonly string[], from: string, isType = true): string[] => {
  if (names.length === 0) return [];
  const sorted = [...new Set(names)].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1));
  return bracketed(`import ${isType ? "type " : ""}`, ["{", "}"], sorted, ` from "${from}";`);
};

/** A union on one line where it fits, else one member a line. */
export const unionAlias = (name: string, members: readonly string[]): string[] => {
  const line = `export type ${name} = ${members.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return [line];
  return [`export type ${name} =`, ...members.map((member, index) => `  | ${member}${index === members.length - 1 ? ";" : ""}`)];
};

/** A file: its head, its parts with an empty line between them, an end of line. */
export const fileText = (about: string, imports: readonly string[], parts: readonly (readonly string[])[]): string => {
  const head = [...docComment([about, "", MADE_BY]), ...imports];
  return `${[head, ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
};
