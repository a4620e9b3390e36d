/** Compares the deployment's OpenAPI document with the contract: no route, method or parameter missing or extra. */
import { ERRORS, errorCodesOf, formatEntry, formatsOf, pages, type Route, streams, VERSION } from "@assay/contract";
import { type Parameter, parametersOf } from "../inputs/parameters.ts";
import { namedRoutes } from "../routes.ts";
import { KEYLESS } from "../wire/caller.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import type { World } from "../world.ts";
import type { Claim, Family } from "./claim.ts";

type Fields = Readonly<Record<string, unknown>>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** The operations of a document by name, such as `GET /v1/prices`. */
const operationsOf = ({ paths }: Fields): Map<string, Fields> =>
  new Map(
    Object.entries(fieldsOf(paths)).flatMap(([path, item]) =>
      METHODS.filter((method) => method in fieldsOf(item)).map(
        (method) => [`${method.toUpperCase()} ${path}`, fieldsOf(fieldsOf(item)[method])] as const,
      ),
    ),
  );

/** What is at a place of a document; empty where there is nothing. */
const at = (document: Fields, ...place: readonly string[]): Fields =>
  place.reduce<Fields>((fields, name) => fieldsOf(fields[name]), document);

const LENGTHS = ["minLength", "maxLength"] as const;
const BOUNDS = [...LENGTHS, "minimum", "maximum", "enum"] as const;

const boundFaults = ({ name, json }: Parameter, documented: Readonly<Record<string, unknown>>): string[] => {
  // A string in the schema but a number to the caller: the document constrains it differently.
  if (documented.type !== json.type) return [];
  // Of an instant or a day the formats say how long it is.
  const bounds = "anyOf" in documented ? BOUNDS.filter((keyword) => !LENGTHS.some((each) => each === keyword)) : BOUNDS;
  return bounds.flatMap((keyword) => {
    const [ours, theirs] = [JSON.stringify(json[keyword]), JSON.stringify(documented[keyword])];
    const isBound = json[keyword] !== Number.MAX_SAFE_INTEGER;
    return ours === theirs || !isBound ? [] : [`${keyword} of ${name} is ${theirs ?? "missing"}, expected ${ours ?? "none"}`];
  });
};

/** What a document lacks, and what it has too much. */
const setFaults = (kind: string, wanted: readonly string[], documented: readonly string[]): string[] => [
  ...wanted.filter((name) => !documented.includes(name)).map((name) => `${kind} ${name} is missing`),
  ...documented.filter((name) => !wanted.includes(name)).map((name) => `${kind} ${name} is not in the contract`),
];

const parameterFaults = (route: Route, { parameters }: Fields): string[] => {
  const listed = (Array.isArray(parameters) ? parameters.map(fieldsOf) : []).filter((each) => each.in !== "header");
  const documented = new Map(listed.map((each) => [String(each.name), each]));
  const wanted = parametersOf(route).filter(({ location }) => location !== "body");
  const faults = wanted.flatMap((parameter) => {
    const { name, location, isRequired } = parameter;
    const found = documented.get(name);
    if (!found) return [];
    return [
      ...(found.in === location ? [] : [`${name} is in the ${String(found.in)}, not in the ${location}`]),
      ...((found.required ?? false) === isRequired
        ? []
        : [`${name} is ${isRequired ? "optional, expected required" : "required, expected optional"}`]),
      ...boundFaults(parameter, at(found, "schema")),
    ];
  });
  const names = wanted.map(({ name }) => name);
  return [...setFaults("the parameter", names, [...documented.keys()]), ...faults];
};

const bodyFaults = (route: Route, operation: Fields): string[] => {
  const schema = at(operation, "requestBody", "content", "application/json", "schema");
  const names = parametersOf(route).flatMap(({ name, location }) => (location === "body" ? [name] : []));
  return "$ref" in schema ? [] : setFaults("the field", names, Object.keys(at(schema, "properties")));
};

const responseFaults = (route: Route, operation: Fields): string[] => {
  const { status } = route.success;
  const wanted = new Set([status, 500, ...errorCodesOf(route).map((code) => ERRORS[code].status)].map(String));
  const documented = Object.keys(at(operation, "responses")).filter((each) => each !== "304");
  // Those of JSON and of the route's formats.
  const types = formatsOf(route).map((format) => formatEntry(format).contentType.split(";")[0] ?? "");
  const given = Object.keys(at(operation, "responses", String(status), "content"));
  return [
    ...setFaults("status", [...wanted], documented),
    ...types.filter((type) => !given.includes(type)).map((type) => `the content type ${type} is missing`),
  ];
};

/** Every difference between an operation and its route, in words. */
const operationFaults = (route: Route, operation: Fields): string[] => [
  ...parameterFaults(route, operation),
  ...bodyFaults(route, operation),
  ...responseFaults(route, operation),
  ...((operation.deprecated ?? false) === (route.successor !== undefined) ? [] : ["deprecated differs from the contract"]),
];

const PATH = "/openapi.json";

/** A document that was read; null when it is none. */
interface ReadDocument {
  readonly exchange: Exchange;
  readonly document: Fields | null;
}

const known = new WeakMap<World, Promise<ReadDocument>>();

const readDocument = async ({ service }: World): Promise<ReadDocument> => {
  const exchange = await service.path(PATH, { caller: KEYLESS });
  const document = fieldsOf(exchange.json);
  const isOne = exchange.status === 200 && /^3\./.test(String(document.openapi)) && operationsOf(document).size > 0;
  return { exchange, document: isOne ? document : null };
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
    const version = String(at(document, "info").version);
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
