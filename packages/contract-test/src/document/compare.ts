/** Compares one operation of a document with its route: parameters, their bounds, statuses, deprecation. */
import { ERRORS, errorCodesOf, formatEntry, formatsOf, type Route } from "@assay/contract";
import { type Parameter, parametersOf } from "@assay/testkit/wire";
import type { Operation } from "./openapi.ts";

/** Keywords that constrain a value. */
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
export const operationFaults = (route: Route, operation: Operation): string[] => [
  ...parameterFaults(route, operation),
  ...bodyFaults(route, operation),
  ...statusFaults(route, operation),
  ...contentFaults(route, operation),
  ...((operation.deprecated ?? false) === (route.successor !== undefined) ? [] : ["deprecated differs from the contract"]),
];
