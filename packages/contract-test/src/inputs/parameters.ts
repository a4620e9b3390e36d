/** A route's parameters: their location, schema and words, and the request that carries them. */
import {
  BAR_SYMBOLS,
  METALS,
  type ParameterLocation,
  parameterLocation,
  pathParameters,
  type Route,
  requestSchema,
  SPOT_NAMES,
} from "@assay/contract";
import { z } from "zod";

export interface Parameter {
  readonly name: string;
  readonly location: ParameterLocation;
  readonly isRequired: boolean;
  readonly schema: z.ZodType;
  readonly json: JsonSchema;
  /** A valid value; undefined when the schema has no example. */
  readonly example: unknown;
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

/** Each route's, read once: making a JSON schema is most of what a generated request costs. */
const known = new WeakMap<Route, readonly Parameter[]>();

const readParameters = (route: Route): readonly Parameter[] =>
  Object.entries<z.ZodType>(requestSchema(route).shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const location = parameterLocation(route, name);
    const json = jsonSchemaOf(schema);
    return {
      name,
      location,
      isRequired: !schema.safeParse(undefined).success,
      schema,
      json,
      example: json.examples?.[0] ?? json.default ?? json.enum?.[0],
    };
  });

/** The parameters of a route, in the order of its schema. */
export const parametersOf = (route: Route): readonly Parameter[] => {
  const parameters = known.get(route) ?? readParameters(route);
  known.set(route, parameters);
  return parameters;
};

const PRICED = [...SPOT_NAMES, "GOLD", "xau-eur-spot"];
const GROUPS = ["sources,karat", "SOURCES, stats", "no-such-group", ""];
const SERIES = [...BAR_SYMBOLS, ...METALS.map((metal) => `${metal}/USD`), "xau-usd", "gld"];

/** Spellings a schema does not list. A route without an entry uses its schema alone. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/v1/prices": { symbol: PRICED, include: GROUPS },
  "/v1/spot/{symbol}": { symbol: PRICED, include: GROUPS },
  "/v1/prices/history": { symbol: SERIES },
  "/v1/bars": { symbol: SERIES },
  "/v1/series": { symbol: ["gold", "xau/eur", "XAU-INR", ...METALS] },
  "/v1/bars/latest": { symbol: SERIES },
  "/v1/quality": { symbol: SERIES },
  "/v1/sources": { symbol: SERIES },
  "/v1/convert": { amount: ["1", "0.5", "2.75", "1000", "31.1034768", "0.000001", "123456789.123456789"] },
};

/** The words a path parameter accepts; empty when only its schema constrains it. */
export const wordsOf = (path: string, { name, json }: Pick<Parameter, "name" | "json">): readonly unknown[] => [
  ...(SPELLINGS[path]?.[name] ?? []),
  ...(json.enum ?? []),
  ...(json["x-extensible-enum"] ?? []),
  ...(json["x-closed-enum"] ?? []),
  ...(json["x-words"] ?? []),
];

/** The smallest input a route accepts: its required parameters, from the schema's examples. */
export const exampleInput = (route: Route): Record<string, unknown> =>
  Object.fromEntries(
    parametersOf(route)
      .filter((parameter) => parameter.isRequired)
      .map(({ name, example }) => [name, example]),
  );

/** The parameter of its path that names what a request is about, such as `key_id`; undefined where none does. */
export const idOf = ({ path }: Route): string | undefined => pathParameters(path).find((name) => name.endsWith("_id"));

type Input = Readonly<Record<string, unknown>>;

const given = (route: Route, input: Input, at: ParameterLocation): [string, unknown][] =>
  Object.entries(input).filter(([name, value]) => value !== undefined && parameterLocation(route, name) === at);

/**
 * The address of a route with its parameters, without the host.
 * @param input parameters by name; undefined ones are left out, and so are those of the body
 * @param extraQuery appended verbatim to the query string
 */
export const requestPath = (route: Route, input: Input = {}, extraQuery = ""): string => {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  for (const [name, value] of given(route, input, "query")) query.append(name, String(value));
  const search = [query.toString(), extraQuery].filter((part) => part !== "").join("&");
  return search === "" ? path : `${path}?${search}`;
};

/** The JSON body of a request; null when none of its parameters are given there. */
export const requestBody = (route: Route, input: Input = {}): string | null => {
  const fields = given(route, input, "body");
  return fields.length === 0 ? null : JSON.stringify(Object.fromEntries(fields));
};
