/** Programs that use every public name of each entry point, and every member of its interfaces and classes. */
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";

const parse = (path, read) => {
  const { module, program } = parseSync(path, read(path));
  const declared = program.body.map((node) => node.declaration ?? node);
  const named = declared.flatMap((node) => (node.declarations ?? [node]).map((one) => [one.id?.name, one]));
  return { entries: module.staticExports.flatMap((one) => one.entries), declarations: new Map(named) };
};

const memberName = ({ key, computed, accessibility }) => {
  if (!key || computed || accessibility === "private" || accessibility === "protected") return null;
  if (key.type === "PrivateIdentifier") return null;
  return key.type === "Identifier" ? key.name : String(key.value);
};

/** Members that every value of a type has; none of what is no interface, class or object type. */
const membersOf = (node) => {
  const body = node?.body?.body ?? node?.typeAnnotation?.members ?? [];
  if (!Array.isArray(body)) return [];
  const own = body.filter((member) => !member.static && member.kind !== "constructor");
  return [...new Set(own.map(memberName).filter((name) => name !== null))];
};

const IS_VALUE = /^(VariableDeclarator|FunctionDeclaration|ClassDeclaration|TSEnumDeclaration)$/;
const IS_TYPE = /^(TSInterfaceDeclaration|TSTypeAliasDeclaration|ClassDeclaration)$/;

/** @param withMembers false for what another entry point has too */
const usesOf = (name, node, withMembers) => {
  const generics = node.typeParameters?.params.map(() => "any") ?? [];
  const type = generics.length > 0 ? `${name}<${generics.join(", ")}>` : name;
  const members = withMembers ? membersOf(node) : [];
  return [
    ...(IS_VALUE.test(node.type) ? [`typeof ${name}`] : []),
    ...(IS_TYPE.test(node.type) ? [type, ...members.map((member) => `${type}[${JSON.stringify(member)}]`)] : []),
  ];
};

/**
 * What a file exports.
 * @param seen declarations whose members have been used
 * @returns by exported name, a function that writes the uses under a full name
 */
const exportsOf = (path, read, seen) => {
  const { entries, declarations } = parse(path, read);
  const writers = new Map();
  for (const { moduleRequest, importName, exportName, localName, isType } of entries) {
    const from = moduleRequest?.value.startsWith(".") ? normalize(join(dirname(path), moduleRequest.value)) : null;
    if (from === null) {
      const node = declarations.get(localName.name);
      const key = `${path} ${localName.name}`;
      writers.set(exportName.name, (name) => {
        if (!node) return [isType ? name : `typeof ${name}`];
        const uses = usesOf(name, node, !seen.has(key));
        seen.add(key);
        return uses;
      });
    } else if (importName.kind === "AllButDefault") {
      for (const [key, writer] of exportsOf(from, read, seen)) if (!writers.has(key)) writers.set(key, writer);
    } else if (importName.kind === "All") {
      const inner = [...exportsOf(from, read, seen)];
      writers.set(exportName.name, (name) => inner.flatMap(([key, writer]) => writer(`${name}.${key}`)));
    } else {
      const writer = exportsOf(from, read, seen).get(importName.name);
      if (writer) writers.set(exportName.name, writer);
    }
  }
  return writers;
};

/**
 * Writes the programs.
 * @param entries pairs of what consumers import and the path of that file
 * @param read reads a file by its path
 */
export const usesOfNames = (entries, read) => {
  const seen = new Set();
  return entries.map(([specifier, entry]) => {
    const uses = [...exportsOf(entry, read, seen)].flatMap(([key, writer]) => writer(`sdk.${key}`));
    return `import type * as sdk from "${specifier}";\nexport type Uses = [\n${uses.map((use) => `  ${use},\n`).join("")}];\n`;
  });
};
