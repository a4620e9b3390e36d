/** Writes shapes.ts: which fields of a response become a decimal or a Date. */
import type { Declaration, Declarations, Field, SdkModel, Type } from "./model.ts";
import { constantName, propertyName } from "./names.ts";
import { bracketed, fileText, importOf } from "./text.ts";

/** A type's shape as source code. */
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

/** Shared by every form of an object. */
const requiredOf = (declaration: Declaration, declarations: Declarations): string[] => {
  if (declaration.kind === "object")
    return declaration.fields.filter(({ isOptional }) => !isOptional).map(({ wireName }) => wireName);
  const [first = [], ...others] = declaration.members.map((name) => {
    const member = declarations.get(name);
    return member ? requiredOf(member, declarations) : [];
  });
  return first.filter((name) => others.every((names) => names.includes(name)));
};

/**
 * A declared type's shape as source code.
 * @param isChecked whether it lists an object's required fields, for input that nothing else has validated
 */
export const shapeLines = (declaration: Declaration, declarations: Declarations, isChecked = false): string[] => {
  const entries = fieldsOf(declaration, declarations)
    .map(({ wireName, type }) => [wireName, shapeOf(type)] as const)
    .filter(([, shape]) => shape !== '"same"')
    .map(([name, shape]) => (name === shape ? name : `${propertyName(name)}: ${shape}`));
  const start = `export const ${constantName(declaration.name)}: Shape = {`;
  const required = (isChecked ? requiredOf(declaration, declarations) : []).map((name) => JSON.stringify(name));
  const [line = "", ...more] =
    entries.length === 0 ? [`${start} fields: {} };`] : bracketed(`${start} fields: `, ["{", "}"], entries, " };");
  if (more.length === 0 && required.length === 0) return [line];
  return [
    start,
    ...(entries.length === 0 ? ["  fields: {},"] : bracketed("fields: ", ["{", "}"], entries, ",", "  ")),
    ...(required.length === 0 ? [] : bracketed("required: ", ["[", "]"], required, ",", "  ")),
    "};",
  ];
};

/** The declared types a type refers to. */
export const namesIn = (type: Type): string[] => {
  if (type.kind === "named") return [type.name];
  if (type.kind === "list" || type.kind === "record" || type.kind === "nullable") return namesIn(type.of);
  return [];
};

/** Declarations used in responses, each after the ones it refers to. */
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
export const shapesFile = (model: SdkModel): string => {
  // Nested parts are not checked: a foreign response is already recognised at the top level, and every name costs bytes.
  const answers = new Set(model.methods.flatMap(({ result }) => (result ? namesIn(result) : [])));
  return fileText(
    "Which fields of a response become decimals or Dates; the others are unchanged.",
    importOf(["Shape"], "../core/shape.ts"),
    partsFirst(model).map((declaration) => shapeLines(declaration, model.declarations, answers.has(declaration.name))),
  );
};
