/** Builds the model from the contract. */
import {
  type Contract,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  errorCodesOf,
  formatsOf,
  NAMED_VALUES,
  pathParameters,
  type Route,
  takesBody,
} from "@assay/contract";
import type { z } from "zod";
import type { Declarations, ErrorModel, MethodModel, PagingModel, ParameterModel, SdkModel, Type } from "./model.ts";
import { errorClassName, pascalCase } from "./names.ts";
import { jsonSchemaOf, SchemaReader } from "./read-schema.ts";

interface NamedRoute {
  readonly resource: string;
  readonly action: string;
  readonly route: Route;
}

const namedRoutes = (contract: Contract): NamedRoute[] =>
  Object.entries(contract).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ resource, action, route })),
  );

const parametersOf = (route: Route, reader: SchemaReader, owner: string): ParameterModel[] => {
  const inPath = new Set(pathParameters(route.path));
  const elsewhere = takesBody(route) ? "body" : "query";
  const required = new Set(jsonSchemaOf(route.input, "input").required);
  return Object.entries<z.ZodType>(route.input.shape as Record<string, z.ZodType>).map(([wireName, schema]) => {
    const json = jsonSchemaOf(schema, "input");
    return {
      wireName,
      in: inPath.has(wireName) ? "path" : elsewhere,
      type: reader.read(json, `${owner}${pascalCase(wireName)}`),
      isOptional: !required.has(wireName),
      description: json.description ?? "",
      example: json.examples?.[0],
      whenAbsent: json.default,
    };
  });
};

const pagingOf = (route: Route, result: Type | null, declarations: Declarations): PagingModel | undefined => {
  if (!route.paging) return undefined;
  const { items, at, closed } = route.paging;
  const page = result?.kind === "named" ? declarations.get(result.name) : undefined;
  const list = page?.kind === "object" ? page.fields.find(({ wireName }) => wireName === items)?.type : undefined;
  if (list?.kind !== "list") throw new Error(`${route.path} is paged, but has no list ${items}`);
  const row = list.of.kind === "named" ? declarations.get(list.of.name) : undefined;
  for (const name of closed === undefined ? [at] : [at, closed]) {
    if (row?.kind !== "object" || !row.fields.some(({ wireName }) => wireName === name))
      throw new Error(`${route.path} is paged by ${name}, which its rows do not have`);
  }
  return { items, closed, row: list.of };
};

const successorOf = (route: Route, routes: readonly NamedRoute[]): string | undefined => {
  if (!route.successor) return undefined;
  const found = routes.find((other) => other.route.path === route.successor && other.route.method === route.method);
  return found && `${found.resource}.${found.action}`;
};

/** Iterating over mocked pages must end, so paged methods use an example of the last page. */
const isLast = (value: unknown): boolean =>
  !(typeof value === "object" && value !== null && "next_cursor" in value && value.next_cursor);

const exampleOf = ({ examples = {}, path }: Route): unknown => {
  const found = Object.values(examples).find(({ value }) => isLast(value));
  if (!found) throw new Error(`${path} shows no answer that ends a walk`);
  return found.value;
};

/** Void has no schema. */
const isBodiless = (json: object): boolean => Object.keys(json).every((keyword) => keyword === "$schema");

/** Objects of requests and of answers are declared apart: they are written in other forms. */
interface Readers {
  readonly inputs: SchemaReader;
  readonly answers: SchemaReader;
}

const methodOf = (
  { resource, action, route }: NamedRoute,
  routes: readonly NamedRoute[],
  { inputs, answers }: Readers,
): MethodModel => {
  const owner = `${pascalCase(resource)}${pascalCase(action)}`;
  const json = jsonSchemaOf(route.output, "output");
  const result = isBodiless(json) ? null : answers.read(json, owner);
  const own: readonly string[] = route.errors;
  return {
    name: `${resource}.${action}`,
    resource,
    action,
    method: route.method,
    path: route.path,
    tag: route.tag,
    summary: route.summary,
    description: route.description,
    auth: route.access.auth,
    tier: route.access.tier,
    isMetered: route.access.metered,
    parameters: parametersOf(route, inputs, owner),
    result,
    example: result && exampleOf(route),
    status: route.success.status,
    cacheControl: route.success.cacheControl ?? "no-store",
    ownCodes: own,
    sharedCodes: errorCodesOf(route).filter((code) => !own.includes(code)),
    paging: pagingOf(route, result, answers.declarations),
    computes: route.computes === true,
    hasReceipt: formatsOf(route).includes("jws"),
    isDeprecated: route.successor !== undefined,
    successor: successorOf(route, routes),
  };
};

const errorOf = (code: ErrorCode, reader: SchemaReader): ErrorModel => {
  const { status, message, condition, remedy, fields }: ErrorEntry = ERRORS[code];
  const own = fields ? reader.readFields(jsonSchemaOf(fields, "output"), errorClassName(code).replace(/Error$/, "")) : [];
  return { code, status, message, condition, remedy, fields: own };
};

/**
 * Reads a contract.
 * @param version the API version
 * @param codes the error codes to generate classes for
 */
export const readContract = (contract: Contract, version: string, codes: readonly ErrorCode[] = ERROR_CODES): SdkModel => {
  const readers = { inputs: new SchemaReader(), answers: new SchemaReader() };
  const routes = namedRoutes(contract);
  const methods = routes.map((named) => methodOf(named, routes, readers));
  const errorReader = new SchemaReader();
  const errors = codes.map((code) => errorOf(code, errorReader));
  return {
    version,
    values: [
      ...Object.entries(NAMED_VALUES).map(([name, { description, values, extendable = false }]) => ({
        name,
        description,
        values,
        isOpen: extendable,
      })),
      { name: "ErrorCode", description: "Error codes of the service; each has its own class.", values: codes, isOpen: false },
    ],
    declarations: readers.answers.declarations,
    inputs: readers.inputs.declarations,
    methods,
    errors,
    errorDeclarations: errorReader.declarations,
  };
};
