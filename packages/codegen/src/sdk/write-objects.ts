/** Writes interfaces and unions, decoded or in wire form. */
import type { Declaration, Declarations, Field, ObjectDeclaration, UnionDeclaration } from "./model.ts";
import { camelCase, propertyName } from "./names.ts";
import { describeField } from "./prose.ts";
import { docComment, sentence, unionAlias } from "./text.ts";
import type { Form, typeWriter } from "./write-type.ts";

/** Options for writing an object. */
export interface ObjectWriting {
  readonly form: Form;
  readonly write: ReturnType<typeof typeWriter>;
  /** Rewrites descriptions for this form. */
  readonly translate: (description: string) => string;
}

/** One property of an interface, with its doc comment. */
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

/** Fields of a union's other members, declared as absent so that reading one narrows the type. */
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
 * @param declarations all declarations, to find the unions an object belongs to
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

/** The imports that a list of written types needs. */
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
