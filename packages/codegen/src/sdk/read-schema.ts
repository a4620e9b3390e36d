/** Converts zod's JSON Schema to the model's types. Every object gets a name. */
import { z } from "zod";
import type { Declaration, Field, Type } from "./model.ts";
import { pascalCase } from "./names.ts";

/** The JSON Schema keywords that the contract's schemas use, including custom ones. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number;
  readonly anyOf?: readonly JsonSchema[];
  /** What callers may give, where the service reads it as text. */
  readonly "x-alternatives"?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly "x-extensible-enum"?: readonly string[];
  readonly "x-closed-enum"?: readonly string[];
  readonly "x-words"?: readonly string[];
}

const FORMATS: Readonly<Record<string, Type["kind"] & ("decimal" | "instant" | "day")>> = {
  decimal: "decimal",
  "date-time": "instant",
  date: "day",
};

const PLAIN: Readonly<Record<string, "text" | "number" | "boolean" | "null">> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Converts a zod schema to JSON Schema, for responses or for requests. */
export const jsonSchemaOf = (schema: z.ZodType, io: "input" | "output"): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema; // only the keywords above are read

/** Reads schemas in turn and collects the objects they declare. */
export class SchemaReader {
  readonly #declarations = new Map<string, Declaration>();
  #defs: Readonly<Record<string, JsonSchema>> = {};

  /** Types declared so far, each before the types it refers to. */
  get declarations(): ReadonlyMap<string, Declaration> {
    return this.#declarations;
  }

  /**
   * Reads a whole schema.
   * @param name the object's name where the schema has none
   */
  read(schema: JsonSchema, name: string): Type {
    this.#defs = schema.$defs ?? {};
    return this.#type(schema, name);
  }

  /**
   * Reads the fields of an object schema without declaring the object.
   * @param owner the prefix for unnamed nested objects
   */
  readFields(schema: JsonSchema, owner: string): Field[] {
    this.#defs = schema.$defs ?? this.#defs;
    return this.#fields(schema, owner);
  }

  #type(schema: JsonSchema, name: string): Type {
    if (schema.$ref) return this.#reference(schema.$ref);
    if (schema.enum) return { kind: "choice", values: schema.enum, isOpen: false };
    if (schema.const !== undefined) return { kind: "choice", values: [schema.const], isOpen: false };
    if (schema["x-words"]) return { kind: "words", values: schema["x-words"] };
    if (schema["x-closed-enum"]) return { kind: "choice", values: schema["x-closed-enum"], isOpen: false };
    if (schema["x-extensible-enum"]) return { kind: "choice", values: schema["x-extensible-enum"], isOpen: true };
    const alternatives = schema["x-alternatives"] ?? schema.anyOf ?? schema.oneOf;
    if (alternatives) return this.#union(schema, alternatives, name);
    if (Array.isArray(schema.type))
      return this.#union(
        schema,
        schema.type.map((type: string) => ({ type })),
        name,
      );
    if (schema.type === "array") return { kind: "list", of: this.#type(schema.items ?? {}, name) };
    if (schema.type === "object") return this.#object(schema, name);
    const kind = FORMATS[schema.format ?? ""] ?? PLAIN[String(schema.type)];
    if (!kind) throw new Error(`${name}: the generator does not know ${JSON.stringify(schema)}`);
    return { kind };
  }

  #reference(reference: string): Type {
    const name = reference.slice("#/$defs/".length);
    const target = this.#defs[name];
    if (!target) throw new Error(`${reference} leads nowhere`);
    if (this.#declarations.has(name)) return { kind: "named", name };
    return this.#type(target, name);
  }

  #object(schema: JsonSchema, name: string): Type {
    if (typeof schema.additionalProperties === "object") {
      return { kind: "record", of: this.#type(schema.additionalProperties, `${name}Entry`) };
    }
    const own = schema.title ?? name;
    this.#place(own, { kind: "object", name: own, description: schema.description ?? "", fields: [] });
    const fields = this.#fields(schema, own);
    this.#declarations.set(own, { kind: "object", name: own, description: schema.description ?? "", fields });
    return { kind: "named", name: own };
  }

  #fields(schema: JsonSchema, owner: string): Field[] {
    const required = new Set(schema.required);
    return Object.entries(schema.properties ?? {}).map(([wireName, property]) => ({
      wireName,
      type: this.#type(property, `${owner}${pascalCase(wireName)}`),
      isOptional: !required.has(wireName),
      description: this.#describe(property),
      example: exampleOf(property),
      whenAbsent: property.default,
    }));
  }

  #describe(schema: JsonSchema): string {
    if (schema.description) return schema.description;
    const target = schema.$ref && this.#defs[schema.$ref.slice("#/$defs/".length)];
    if (target) return this.#describe(target);
    const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
    return (others.length === 0 && only?.description) || "";
  }

  #union(schema: JsonSchema, alternatives: readonly JsonSchema[], name: string): Type {
    const present = alternatives.filter(({ type }) => type !== "null");
    const [only, ...others] = present;
    if (!only) return { kind: "null" };
    if (others.length === 0) {
      const of = this.#type(only, name);
      return present.length === alternatives.length ? of : { kind: "nullable", of };
    }
    const isObject = ({ $ref, type }: JsonSchema): boolean => $ref !== undefined || type === "object";
    if (!present.every(isObject)) return { kind: "either", of: present.map((member) => this.#type(member, name)) };
    // The union is declared before its members.
    this.#place(name, { kind: "union", name, description: schema.description ?? "", members: [] });
    const members = present.map((member, index) => {
      const type = this.#type(member, `${name}${index + 1}`);
      if (type.kind !== "named") throw new Error(`${name}: a union of records`);
      return type.name;
    });
    this.#declarations.set(name, { kind: "union", name, description: schema.description ?? "", members });
    return { kind: "named", name };
  }

  #place(name: string, declaration: Declaration): void {
    if (this.#declarations.has(name)) throw new Error(`two types are called ${name}`);
    this.#declarations.set(name, declaration);
  }
}

const exampleOf = (schema: JsonSchema): unknown => {
  if (schema.examples) return schema.examples[0];
  return schema.anyOf?.flatMap((alternative) => alternative.examples ?? [])[0];
};
