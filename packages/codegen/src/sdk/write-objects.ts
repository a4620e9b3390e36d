/** Interfaces and unions, decoded or as they stand on the wire. */
import type { Declaration, Declarations, Field, ObjectDeclaration, UnionDeclaration } from "./model.ts";
import { camelCase, propertyName } from "./names.ts";
import { describeField } from "./prose.ts";
import { docComment, sentence, unionAlias } from "./text.ts";
import type { Form, typeWriter } from "./write-type.ts";

/** What writing an object takes. */
export interface ObjectWriting {
  readonly form: Form;
  readonly write: ReturnType<typeof typeWriter>;
  /** Descriptions in the words of the form. */
  readonly translate: (description: string) => string;
}

/** One property of an interface, with its comment. */
export const propertyLines = (field: Field, { form, write, translate }: ObjectWriting): string[] => {
  const name = form === "wire" ? field.wireName : camelCase(field.wireName);
  const comment = translate(describeField(form === "wire" ? { ...field, type: { kind: "text" } } : field, form === "given"));
  const optional = field.isOptional ? "?" : "";
  const orUndefined = field.isOptional && form === "given" ? " | undefined" : "";
  return [
    ...(comment === "" ? [] : docComment([comment], "  ")),
    `  readonly ${propertyName(name)}${optional}: ${write(field.type).text}${orUndefined};`,
  ];
};

/** Fields of the other members of a union: named as absent, so that reading one tells the members apart. */
const absentFields = (declaration: ObjectDeclaration, declarations: Declarations): string[] => {
  const unions = [...declarations.values()].filter(
    (one): one is UnionDeclaration => one.kind === "union" && one.members.includes(declaration.name),
  );
  const others = unions.flatMap(({ members }) => members.map((name) => declarations.get(name)));
  const names = others.flatMap((other) => (other?.kind === "object" ? other.fields.map(({ wireName }) => wireName) : []));
  const own = new Set(declaration.fields.map(({ wireName }) => wireName));
  return [...new Set(names)].filter((name) => !own.has(name));
};

/**
 * One declaration.
 * @param declarations all of them, to know the unions an object is a member of
 */
export const declarationLines = (declaration: Declaration, declarations: Declarations, writing: ObjectWriting): string[] => {
  const comment = docComment([writing.translate(sentence(declaration.description))]);
  if (declaration.kind === "union") return [...comment, ...unionAlias(declaration.name, declaration.members)];
  const absent = absentFields(declaration, declarations).map((wireName) => {
    const name = writing.form === "wire" ? wireName : camelCase(wireName);
    return [...docComment(["Absent in this form."], "  "), `  readonly ${propertyName(name)}?: undefined;`];
  });
  return [
    ...comment,
    `export interface ${declaration.name} {`,
    ...declaration.fields.flatMap((field) => propertyLines(field, writing)),
    ...absent.flat(),
    "}",
  ];
};

/** What a list of written types needs to import. */
export const needs = (fields: readonly Field[], { write }: ObjectWriting) => {
  const all = fields.map(({ type }) => write(type));
  return {
    types: all.flatMap(({ types }) => types),
    values: all.flatMap(({ values }) => values),
    decimals: all.flatMap(({ decimals }) => decimals),
  };
};

/** Every field of every object. */
export const fieldsOf = (declarations: Declarations): Field[] =>
  [...declarations.values()].flatMap((declaration) => (declaration.kind === "object" ? declaration.fields : []));
