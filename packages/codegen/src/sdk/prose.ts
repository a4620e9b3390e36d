/** Rewrites the contract's descriptions with the SDK's names. */
import type { Field, SdkModel, Type } from "./model.ts";
import { camelCase } from "./names.ts";
import { sentence } from "./text.ts";

/** Every wire name that is spelled differently in the SDK. */
const wireNames = (model: SdkModel): ReadonlySet<string> => {
  const objects = [...model.declarations.values(), ...model.errorDeclarations.values()];
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
    return isGiven ? "YYYY-MM-DD, or a Date, of which the UTC day is used." : "A UTC calendar day, YYYY-MM-DD.";
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
