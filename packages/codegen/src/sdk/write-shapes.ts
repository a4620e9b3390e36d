/** shapes.ts: what of an answer becomes a decimal or a Date. */
import type { Declaration, Declarations, Field, SdkModel, Type } from "./model.ts";
import { constantName, propertyName } from "./names.ts";
import { bracketed, fileText, importOf } from "./text.ts";

/** A type's shape as code. */
export const shapeOf = (type: Type): string => {
  switch (type.kind) {
    case "decimal":
    case "instant":
      return JSON.stringify(type.kind);
    case "list": {
      const of = shapeOf(type.of);
      return of === '"same"' ? of : `{ list: ${of} }`;
    }
    case "record": {
      const of = shapeOf(type.of);
      return of === '"same"' ? of : `{ record: ${of} }`;
    }
    case "nullable":
      return shapeOf(type.of);
    case "named":
      return constantName(type.name);
    default:
      return '"same"';
  }
};

const fieldsOf = (declaration: Declaration, declarations: Declarations): readonly Field[] => {
  if (declaration.kind === "object") return declaration.fields;
  const merged = new Map<string, Field>();
  for (const name of declaration.members) {
    const member = declarations.get(name);
    for (const field of member ? fieldsOf(member, declarations) : []) {
      const known = merged.get(field.wireName);
      if (known && shapeOf(known.type) !== shapeOf(field.type))
        throw new Error(`${declaration.name}.${field.wireName} is of two shapes`);
      merged.set(field.wireName, field);
    }
  }
  return [...merged.values()];
};

/** A declared type's shape as code. */
export const shapeLines = (declaration: Declaration, declarations: Declarations): string[] => {
  const entries = fieldsOf(declaration, declarations)
    .map(({ wireName, type }) => [wireName, shapeOf(type)] as const)
    .filter(([, shape]) => shape !== '"same"')
    .map(([name, shape]) => (name === shape ? name : `${propertyName(name)}: ${shape}`));
  const start = `const ${constantName(declaration.name)}: Shape = { fields: `;
  const [first = "", ...rest] = entries.length === 0 ? [`${start}{} };`] : bracketed(start, ["{", "}"], entries, " };");
  if (rest.length === 0) return [`export ${first}`];
  return [
    `export const ${constantName(declaration.name)}: Shape = {`,
    "  fields: {",
    ...entries.map((entry) => `    ${entry},`),
    "  },",
    "};",
  ];
};

/** The declared types a type names. */
export const namesIn = (type: Type): string[] => {
  if (type.kind === "named") return [type.name];
  if (type.kind === "list" || type.kind === "record" || type.kind === "nullable") return namesIn(type.of);
  return [];
};

/** The declarations answers are made of, each behind those it is made of itself. */
const partsFirst = ({ declarations, methods }: SdkModel): Declaration[] => {
  const ordered = new Set<Declaration>();
  const visit = (type: Type): void => {
    for (const name of namesIn(type)) {
      const declaration = declarations.get(name);
      if (!declaration) continue;
      for (const field of fieldsOf(declaration, declarations)) visit(field.type);
      ordered.add(declaration);
    }
  };
  for (const { result } of methods) if (result) visit(result);
  return [...ordered];
};

/** The file. */
export const shapesFile = (model: SdkModel): string =>
  fileText(
    "What of an answer becomes a decimal or a Date; what is not listed stays as it is.",
    importOf(["Shape"], "../core/shape.ts"),
    partsFirst(model).map((declaration) => shapeLines(declaration, model.declarations)),
  );
