/** What callers rely on in an OpenAPI document, operation by operation. */
import { resolver } from "./resolve.mjs";

const METHODS = ["get", "put", "post", "delete", "patch"];
const JSON_TYPE = "application/json";

/** Parameters as an object, so that the rules of objects are theirs. */
const locationOf = (parameters, location) => {
  const own = parameters.filter((one) => one.in === location);
  return {
    type: "object",
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
};

const requestOf = ({ parameters = [], requestBody }) => ({
  type: "object",
  properties: {
    ...Object.fromEntries(["path", "query", "header"].map((location) => [location, locationOf(parameters, location)])),
    ...(requestBody?.content[JSON_TYPE] ? { body: requestBody.content[JSON_TYPE].schema } : {}),
  },
  required: requestBody?.required ? ["body"] : [],
});

const schemeNames = (security) => security.map((one) => Object.keys(one).toSorted().join(" and ") || "no key");

/** A status's bodies: an error's by its code, any other's by the status. */
const bodiesOf = (status, { content = {} }) => {
  const schema = content[JSON_TYPE]?.schema;
  if (!schema) return [];
  return (schema.oneOf ?? [schema]).map((one) => {
    const code = one.properties?.error?.const;
    return [code === undefined ? status : `${status} ${code}`, one];
  });
};

const operationOf = (operation, tiers) => {
  const responses = Object.entries(operation.responses);
  const answers = Object.fromEntries(responses.flatMap(([status, response]) => bodiesOf(status, response)));
  const listed = (key) => responses.flatMap(([status, one]) => Object.keys(one[key] ?? {}).map((name) => `${status} ${name}`));
  return {
    ids: [operation.operationId],
    callers: operation.security?.length === 0 ? ["no key"] : schemeNames(operation.security ?? []),
    tiers: operation["x-tier"] === undefined ? [] : tiers.slice(tiers.indexOf(operation["x-tier"])),
    unmetered: operation["x-metered"] === false ? ["a call"] : [],
    statuses: responses.map(([status]) => status),
    errors: Object.keys(answers).filter((name) => name.includes(" ")),
    contents: listed("content"),
    headers: listed("headers"),
    takes: Object.keys(operation.requestBody?.content ?? {}),
    requests: { "": requestOf(operation) },
    answers,
  };
};

/** The operations of a document, by method and path. */
export const openApiSurface = (document) => {
  const resolve = resolver(document);
  const tiers = document.components?.schemas?.Tier?.properties?.name?.enum ?? [];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => [
      `${method.toUpperCase()} ${path}`,
      operationOf(resolve(item[method]), tiers),
    ]),
  );
  return new Map(operations);
};
