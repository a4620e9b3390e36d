/** Compares the deployment's OpenAPI document with the contract: no route, method or parameter missing or extra. */
import { ERRORS, errorCodesOf, formatEntry, formatsOf, pages, type Route, streams, VERSION } from "@assay/contract";
import { z } from "zod";
import { type Parameter, parametersOf } from "../inputs/parameters.ts";
import { namedRoutes } from "../routes.ts";
import { KEYLESS } from "../wire/caller.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";
import type { World } from "../world.ts";
import type { Claim, Family } from "./claim.ts";

const parameter = z.object({
  in: z.string(),
  name: z.string(),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
});

const operation = z.object({
  deprecated: z.boolean().optional(),
  parameters: z.array(parameter).optional(),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()).optional() })) })
    .optional(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
});
type Operation = z.output<typeof operation>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

const pathItem = z.object(Object.fromEntries(METHODS.map((method) => [method, operation.optional()])));

const openApiDocument = z.object({
  openapi: z.string().regex(/^3\./),
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), pathItem),
});
type OpenApiDocument = z.output<typeof openApiDocument>;

/** An operation's name: `GET /v1/prices`. */
const operationsOf = ({ paths }: OpenApiDocument): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const found = item[method];
        return found ? [[`${method.toUpperCase()} ${path}`, found] as const] : [];
      }),
    ),
  );

const BOUNDS = ["minLength", "maxLength", "minimum", "maximum", "enum"] as const;

const boundFaults = ({ name, json }: Parameter, documented: Readonly<Record<string, unknown>>): string[] => {
  // A string in the schema but a number to the caller: the document constrains it differently.
  if (documented.type !== json.type) return [];
  return BOUNDS.flatMap((keyword) => {
    const [ours, theirs] = [JSON.stringify(json[keyword]), JSON.stringify(documented[keyword])];
    const isBound = json[keyword] !== Number.MAX_SAFE_INTEGER;
    return ours === theirs || !isBound ? [] : [`${keyword} of ${name} is ${theirs ?? "missing"}, expected ${ours ?? "none"}`];
  });
};

const parameterFaults = (route: Route, { parameters = [] }: Operation): string[] => {
  const documented = new Map(parameters.filter((each) => each.in !== "header").map((each) => [each.name, each]));
  const wanted = parametersOf(route).filter(({ location }) => location !== "body");
  const extra = [...documented.keys()].filter((name) => !wanted.some((each) => each.name === name));
  const faults = wanted.flatMap((parameter) => {
    const { name, location, isRequired } = parameter;
    const found = documented.get(name);
    if (!found) return [`the parameter ${name} is missing`];
    return [
      ...(found.in === location ? [] : [`${name} is in the ${found.in}, not in the ${location}`]),
      ...((found.required ?? false) === isRequired
        ? []
        : [`${name} is ${isRequired ? "optional, expected required" : "required, expected optional"}`]),
      ...boundFaults(parameter, found.schema ?? {}),
    ];
  });
  return [...faults, ...extra.map((name) => `the parameter ${name} is not in the contract`)];
};

const bodyFaults = (route: Route, { requestBody }: Operation): string[] => {
  const wanted = parametersOf(route).filter(({ location }) => location === "body");
  const schema = requestBody?.content["application/json"]?.schema ?? {};
  const documented = Object.keys((schema.properties ?? {}) as object); // a JSON schema
  const names = wanted.map(({ name }) => name);
  return documented.toSorted().join() === names.toSorted().join() || "$ref" in schema
    ? []
    : [`the body has ${documented.join(", ") || "nothing"}, expected ${names.join(", ") || "nothing"}`];
};

const statusFaults = (route: Route, { responses }: Operation): string[] => {
  const wanted = new Set([route.success.status, 500, ...errorCodesOf(route).map((code) => ERRORS[code].status)].map(String));
  const missing = [...wanted].filter((status) => !(status in responses));
  const extra = Object.keys(responses).filter((status) => !wanted.has(status) && status !== "304");
  return [
    ...missing.map((status) => `status ${status} is missing`),
    ...extra.map((status) => `status ${status} is not in the contract`),
  ];
};

/** The media types of the success are those of JSON and of the route's formats. */
const contentFaults = (route: Route, { responses }: Operation): string[] => {
  const wanted = formatsOf(route).map((format) => formatEntry(format).contentType.split(";")[0] ?? "");
  const documented = Object.keys(responses[String(route.success.status)]?.content ?? {});
  return wanted.filter((type) => !documented.includes(type)).map((type) => `the content type ${type} is missing`);
};

/** Every difference between an operation and its route, in words. */
const operationFaults = (route: Route, operation: Operation): string[] => [
  ...parameterFaults(route, operation),
  ...bodyFaults(route, operation),
  ...statusFaults(route, operation),
  ...contentFaults(route, operation),
  ...((operation.deprecated ?? false) === (route.successor !== undefined) ? [] : ["deprecated differs from the contract"]),
];

const PATH = "/openapi.json";

/** A parsed document; null when it is not JSON of the expected shape. */
interface ReadDocument {
  readonly exchange: Exchange;
  readonly document: OpenApiDocument | null;
}

const known = new WeakMap<World, Promise<ReadDocument>>();

const readDocument = async ({ service }: World): Promise<ReadDocument> => {
  const exchange = await service.path(PATH, { caller: KEYLESS });
  const parsed = openApiDocument.safeParse(exchange.json);
  return { exchange, document: exchange.status === 200 && parsed.success ? parsed.data : null };
};

/** Reads a service's document once. */
const documentOf = (world: World): Promise<ReadDocument> => {
  const read = known.get(world) ?? readDocument(world);
  known.set(world, read);
  return read;
};

const WHY = "the document describes every route of the contract as it is";

/** The document itself: it is valid, has the contract's version, and describes no route beyond the contract. */
export const documentClaim: Claim = {
  group: "document",
  title: "OpenAPI",
  why: WHY,
  check: async (it) => {
    const { exchange, document } = await documentOf(it.world);
    if (!document) return it.fault(`${PATH} is not an OpenAPI document`, exchange);
    const { version } = document.info;
    if (version !== VERSION) it.fault(`its version is ${version}, the contract's is ${VERSION}`, exchange);
    const routes = [...namedRoutes({ ...it.world.contract, ...pages }).map(({ route }) => route), ...Object.values(streams)];
    const declared = new Set(routes.map((route) => `${route.method} ${route.path}`));
    for (const name of operationsOf(document).keys()) {
      if (!declared.has(name)) it.fault(`it describes ${name}, which is not in the contract`, exchange);
    }
  },
};

const described: Claim = {
  group: "document",
  title: "OpenAPI",
  why: WHY,
  check: async (it) => {
    const { exchange, document } = await documentOf(it.world);
    if (!document) throw new NotChecked("there is no OpenAPI document");
    const operation = operationsOf(document).get(`${it.route.method} ${it.route.path}`);
    if (!operation) return it.fault("the route is not described", exchange);
    it.faults(operationFaults(it.route, operation), exchange);
  },
};

/** A route's entry in the document. */
export const documentClaims: Family = () => [described];
