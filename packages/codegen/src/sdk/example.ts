/** Examples of answers as they stand on the wire, from the examples of their fields. */
import type { Declarations, Field, Type } from "./model.ts";

const ofDeclared = (name: string, declarations: Declarations): unknown => {
  const declaration = declarations.get(name);
  if (!declaration) throw new Error(`no type is called ${name}`);
  if (declaration.kind === "union") return ofDeclared(declaration.members[0] ?? "", declarations);
  // An optional field is shown where the contract shows a value of it.
  const shown = declaration.fields.filter((field) => !field.isOptional || field.example !== undefined);
  return Object.fromEntries(shown.map((field) => [field.wireName, ofField(field, declarations)]));
};

const ofType = (type: Type, declarations: Declarations): unknown => {
  switch (type.kind) {
    case "boolean":
      return false;
    case "number":
      return 0;
    case "null":
      return null;
    case "decimal":
      return "4003.20";
    case "instant":
      return "2026-11-20T14:03:27Z";
    case "day":
      return "2026-11-20";
    case "choice":
    case "words":
      return type.values[0];
    case "list":
      return type.of.kind === "named" ? [ofType(type.of, declarations)] : [];
    case "record":
      return {};
    // What is not named is not there.
    case "nullable":
      return type.of.kind === "named" ? ofType(type.of, declarations) : null;
    case "either":
      return type.of[0] && ofType(type.of[0], declarations);
    case "named":
      return ofDeclared(type.name, declarations);
    default:
      return "";
  }
};

const ofField = (field: Field, declarations: Declarations): unknown =>
  field.example === undefined ? ofType(field.type, declarations) : field.example;

/**
 * An answer as the service might give it: a page is the last of its list.
 * @returns a JSON value
 */
export const exampleOf = (type: Type, declarations: Declarations): unknown => ofType(type, declarations);
