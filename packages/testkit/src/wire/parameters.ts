/** What a route's schema says about its parameters: their location, valid values and invalid ones. */
import { type ParameterLocation, parameterLocation, type Route, requestSchema } from "@assay/contract";
import { z } from "zod";

/** One parameter. */
export interface Parameter {
  readonly name: string;
  readonly location: ParameterLocation;
  readonly isRequired: boolean;
  readonly schema: z.ZodType;
  /** Its JSON schema. */
  readonly json: JsonSchema;
  /** A valid value; undefined when the schema has no example. */
  readonly example: unknown;
  /** Invalid values, and why. */
  readonly wrong: readonly { readonly why: string; readonly value: unknown }[];
}

/** The keywords read from a parameter's JSON schema. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Known valid values, among others. */
  readonly "x-extensible-enum"?: readonly string[];
  /** Every valid value; others are refused by a code of their own. */
  readonly "x-closed-enum"?: readonly string[];
  /** Known valid words, joined by commas. */
  readonly "x-words"?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema; // the keywords read here have these types

const wrongIntegers = ({ minimum, maximum }: JsonSchema): Parameter["wrong"] => [
  ...["10.5", "1e3", " 5", "5 ", "", "+5", "0x10", "ten", "-1"].map((value) => ({
    why: `written ${JSON.stringify(value)}`,
    value,
  })),
  { why: "beyond every integer", value: "9".repeat(400) },
  ...(minimum === undefined || minimum <= 0 ? [] : [{ why: "below its range", value: String(minimum - 1) }]),
  ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? []
    : [{ why: "above its range", value: String(maximum + 1) }]),
];

const wrongTexts = ({ minLength, maxLength, enum: values }: JsonSchema): Parameter["wrong"] => [
  ...(maxLength === undefined ? [] : [{ why: "overlong", value: "x".repeat(maxLength + 1) }]),
  ...((minLength ?? 0) > 0 || values ? [{ why: "empty", value: "" }] : []),
  ...(values ? [{ why: "none of its values", value: "no-such-value" }] : []),
];

const wrongOf = (json: JsonSchema, location: Parameter["location"]): Parameter["wrong"] => {
  if (location === "body") {
    return [...wrongTexts(json), ...[5, true, null, [], {}].map((value) => ({ why: `JSON ${JSON.stringify(value)}`, value }))];
  }
  if (json.type === "integer") return wrongIntegers(json);
  // An empty path parameter is another path.
  return wrongTexts(json).filter(({ value }) => location === "query" || value !== "");
};

/** The parameters of a route, in the order of its schema. */
export const parametersOf = (route: Route): Parameter[] => {
  return Object.entries<z.ZodType>(requestSchema(route).shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const location = parameterLocation(route, name);
    const json = jsonSchemaOf(schema);
    return {
      name,
      location,
      isRequired: !schema.safeParse(undefined).success,
      schema,
      json,
      example: json.examples?.[0] ?? json.default ?? json.enum?.[0],
      wrong: wrongOf(json, location),
    };
  });
};

/** The smallest input a route accepts: its required parameters, from the schema's examples. */
export const exampleInput = (route: Route): Record<string, unknown> =>
  Object.fromEntries(
    parametersOf(route)
      .filter((parameter) => parameter.isRequired)
      .map(({ name, example }) => [name, example]),
  );
