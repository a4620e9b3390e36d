/** Which messages a source uses: what it reads of `text()`, directly or by the names it gives to parts of it. */
import { isNode, type Node, treeOf } from "./sources.ts";

type Names = Map<string, readonly string[]>;

/** A part that is chosen when the program runs. */
const ANY = "*";

const WRAPPERS = new Set(["TSAsExpression", "TSNonNullExpression", "ParenthesizedExpression", "ChainExpression"]);

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : "");

/** What `text` is called in a source, if it is known there. */
const readerIn = (path: string, program: Node): string | undefined => {
  if (path === "text/text.ts") return "text";
  return (program.body as readonly Node[]) // as parsed
    .filter(({ type, source }) => type === "ImportDeclaration" && nameOf(source).endsWith("/text.ts"))
    .flatMap(({ specifiers }) => specifiers as readonly Node[]) // as parsed
    .filter(({ imported }) => nameOf(imported) === "text")
    .map(({ local }) => nameOf(local))[0];
};

/** The path that an expression reads; null where it reads no message. */
const pathOf = (node: unknown, names: Names, reader: string): readonly string[] | null => {
  if (!isNode(node)) return null;
  if (WRAPPERS.has(node.type)) return pathOf(node.expression, names, reader);
  if (node.type === "Identifier") return names.get(nameOf(node)) ?? null;
  if (node.type === "CallExpression") return nameOf(node.callee) === reader ? [] : null;
  if (node.type !== "MemberExpression") return null;
  const path = pathOf(node.object, names, reader);
  return path && [...path, node.computed === true ? ANY : nameOf(node.property)];
};

/** Gives the names of a pattern their paths; those of anything else hide what had them before. */
const name = (pattern: unknown, path: readonly string[] | null, names: Names): void => {
  if (!isNode(pattern)) return;
  if (pattern.type === "Identifier") {
    if (path === null) names.delete(nameOf(pattern));
    else names.set(nameOf(pattern), path);
  } else if (pattern.type === "AssignmentPattern") name(pattern.left, path, names);
  else if (pattern.type === "ObjectPattern")
    for (const each of pattern.properties as readonly Node[]) // as parsed
      name(each.value ?? each.argument, path && [...path, nameOf(each.key)], names);
};

/**
 * The paths that a source reads: `ui.yes`, or `chart.parts.*.long` where a part is chosen when the program runs. A group that is passed
 * on, or read by a code, is a path as well.
 * @param path of the source within `src`
 */
export const usesIn = (path: string, source: string): readonly string[] => {
  const program = treeOf(path, source);
  const reader = readerIn(path, program);
  const found = new Set<string>();
  const visit = (node: Node, names: Names): void => {
    if (node.type === "ImportDeclaration" || reader === undefined) return;
    const read = pathOf(node, names, reader);
    if (read !== null) {
      if (read.length > 0) found.add(read.join("."));
      return;
    }
    if (node.type === "VariableDeclarator") {
      const given = pathOf(node.init, names, reader);
      name(node.id, given, names);
      if (given !== null) return;
    }
    const inner = /Function|BlockStatement/.test(node.type) ? new Map(names) : names;
    for (const each of (node.params ?? []) as readonly Node[]) name(each, null, inner); // as parsed
    for (const [key, value] of Object.entries(node)) {
      const isName = (key === "property" || key === "key") && node.computed !== true;
      if (isName || key === "params") continue;
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each, inner);
    }
  };
  visit(program, new Map());
  return [...found];
};

/** Whether a message is among what is read. */
export const isAmong = (uses: readonly string[]): ((message: string) => boolean) => {
  const patterns = uses.map((use) => new RegExp(`^${use.replaceAll(ANY, "[^.]+")}(\\.|$)`));
  return (message) => patterns.some((pattern) => pattern.test(message));
};
