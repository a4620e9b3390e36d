/** The OpenAPI 3.1 document: generated from the contract as a router, completed from the contract, then simplified. */
import {
  accessNote,
  type Contract,
  contract,
  DEFAULT_CATALOG,
  EXAMPLE_RECEIPT,
  formatEntry,
  formatsOf,
  formatWriter,
  isRecord,
  maxBodyBytes,
  needsKey,
  operationId,
  pages,
  type Route,
  requestSchema,
  type TierCatalog,
  type TierName,
  takesBody,
  VERSION,
} from "@assay/contract";
import { initTRPC } from "@trpc/server";
import { generateOpenApiDocument, type OpenApiMeta, type OpenApiRouter } from "trpc-to-openapi";
import { errorResponses, errorSchemas, UNEXPECTED_ERROR } from "./errors.ts";
import { HEADERS, successHeaders } from "./headers.ts";
import { infoOf, SECURITY_SCHEMES, tagsOf } from "./info.ts";
import { bodyOf, parametersOf, queryOf } from "./parameters.ts";
import { streamPaths } from "./stream-operations.ts";
import type { Json, MediaType, OpenApiDocument, Operation, ResponseObject } from "./types.ts";
import { webhookSchemas, webhooks } from "./webhooks.ts";

const EVERYTHING: Contract = { ...contract, ...pages };

const t = initTRPC.meta<OpenApiMeta>().create();

const metaOf = (route: Route): OpenApiMeta => ({
  openapi: {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    deprecated: route.successor !== undefined,
    protect: false,
    errorResponses: [],
  },
});

const procedureOf = (route: Route) => {
  // The generator puts every field of an input into the body, where there is one; `format` is added from the contract.
  const input = takesBody(route) ? route.input.strict() : requestSchema(route);
  const procedure = t.procedure.meta(metaOf(route)).input(input).output(route.output);
  return route.method === "GET" ? procedure.query(() => undefined) : procedure.mutation(() => undefined);
};

/** The contract and the pages as a tRPC router with its schemas, which is never called. */
const documentedRouter = (): OpenApiRouter =>
  t.router(
    Object.fromEntries(
      Object.entries(EVERYTHING).map(([resource, routes]) => [
        resource,
        t.router(Object.fromEntries(Object.entries(routes).map(([action, route]) => [action, procedureOf(route)]))),
      ]),
    ),
  );

/** An example answer written in each format, by media type: several formats may share one. */
const formatContents = (route: Route): Record<string, MediaType> => {
  const contents: Record<string, MediaType> = {};
  const [example] = Object.values(route.examples ?? {});
  for (const format of formatsOf(route)) {
    const { contentType, summary } = formatEntry(format);
    const [media = contentType] = contentType.split(";");
    const content = contents[media] ?? { schema: { type: "string" }, examples: {} };
    const value = format === "jws" ? EXAMPLE_RECEIPT : example ? formatWriter(route, format)(example.value) : null;
    const shown = value === null ? {} : { [format]: { summary, value } };
    contents[media] = { ...content, examples: { ...content.examples, ...shown } };
  }
  return contents;
};

/** The content of a success response. */
const successContents = (route: Route, schema: unknown): Record<string, MediaType> => ({
  [route.success.mediaType ?? "application/json"]: { schema, examples: { ...route.examples } },
  ...formatContents(route),
});

/** The bounds of safe integers in JSON; they carry no information about a figure. */
const UNBOUNDED: Readonly<Record<string, number>> = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** What calendar patterns say besides the format they repeat. */
const shortPattern = (format: unknown, pattern: unknown): string | null | undefined => {
  if (typeof pattern !== "string") return undefined;
  if (format === "date") return null;
  if (format !== "date-time") return undefined;
  return pattern.includes("\\d{3}") ? "\\.[0-9]{3}Z$" : ":[0-9]{2}Z$";
};

/** Rewrites `anyOf: [one, null]` as one schema with two types: equivalent, and it reads as a nullable field. */
const nullable = (schema: Json): Json => {
  const [first, second, ...more] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  if (more.length > 0 || !isRecord(first) || !isRecord(second) || second["type"] !== "null") return schema;
  if (typeof first["type"] !== "string" || "enum" in first) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...first, ...rest, type: [first["type"], "null"] };
};

const tidyObject = (given: Json): Json => {
  const schema = nullable(given);
  const kept = Object.entries(schema).filter(([name, value]) => UNBOUNDED[name] === undefined || UNBOUNDED[name] !== value);
  const tidied = Object.fromEntries(kept.map(([name, value]) => [name, tidy(value)]));
  const short = shortPattern(schema["format"], schema["pattern"]);
  if (short === null) delete tidied["pattern"];
  else if (short !== undefined) tidied["pattern"] = short;
  return tidied;
};

/** Simplifies a schema, or any JSON that contains schemas, without changing its meaning. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  return isRecord(value) ? tidyObject(value) : value;
};

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Leaves out schemas that nothing refers to: those of bodies that a status without one never sends. */
const withoutUnused = (document: OpenApiDocument): OpenApiDocument => {
  const used = new Set(Array.from(JSON.stringify(document).matchAll(REFERENCE), ([, name]) => name));
  const all = Object.entries(document.components.schemas);
  const schemas = Object.fromEntries(all.filter(([name]) => used.has(name)));
  const pruned = { ...document, components: { ...document.components, schemas } };
  return Object.keys(schemas).length === all.length ? pruned : withoutUnused(pruned);
};

const KEY_REQUIRED = [{ bearer: [] }, { apiKey: [] }];

/** @param keyless the tier of callers without a key */
const security = (route: Route, keyless: TierName): Json[] =>
  // Security with the key comes first: importers such as Postman use the first alternative and ignore the rest.
  route.access.auth === "none" ? [] : needsKey(route, keyless) ? KEY_REQUIRED : [...KEY_REQUIRED, {}];

const successOf = (route: Route, generated: ResponseObject | undefined): ResponseObject => {
  const headers = successHeaders(route, route.success.isValidated ?? false);
  if (route.success.status === 204) return { description: "Done; no body", headers };
  if (route.success.status === 307) return { description: "A link in Location; no body", headers };
  const schema = generated?.content?.["application/json"]?.schema;
  return { description: route.summary, headers, content: successContents(route, schema) };
};

const unchangedOf = (route: Route): ResponseObject => {
  const { "X-Content-Type-Options": _, ...headers } = successHeaders(route, true);
  return { description: "What you hold, named in If-None-Match, is still the answer; no body", headers };
};

const describeBody = (operation: Operation, route: Route): void => {
  const body = operation.requestBody;
  if (!body) return;
  const { isRequired, example, csv } = bodyOf(route);
  body.required = isRequired;
  body.description = isRequired ? `At most ${maxBodyBytes(route) / 1_024} KiB` : "May be left out, or an empty object";
  for (const media of Object.values(body.content ?? {})) media.example = example;
  if (csv !== undefined) {
    body.description += ". As CSV a row for each member of the list, its other fields in the query";
    body.content = { ...body.content, "text/csv": { schema: { type: "string" }, example: csv } };
  }
};

interface Service {
  /** Base of absolute links. */
  readonly publicUrl: string;
  readonly catalog: TierCatalog;
}

const overlay = (operation: Operation, route: Route, id: string, { publicUrl, catalog: { keyless } }: Service): void => {
  const { isValidated = false } = route.success;
  operation.operationId = id;
  operation.description = `${route.description}\n\n${accessNote(route, keyless.tier)}`;
  // Of a route with a body the generator writes the parameters of the path alone.
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const generated = takesBody(route) ? [...inPath, ...queryOf(route)] : (operation.parameters ?? []);
  operation.parameters = parametersOf(route, generated, isValidated);
  describeBody(operation, route);
  operation.responses = {
    [String(route.success.status)]: successOf(route, operation.responses["200"]),
    ...(isValidated ? { "304": unchangedOf(route) } : {}),
    ...errorResponses(route, publicUrl),
  };
  operation.security = security(route, keyless.tier);
  if (route.successor) operation.deprecated = true;
  operation["x-tier"] = route.access.tier;
  operation["x-metered"] = route.access.metered;
};

/**
 * Builds the document.
 * @param publicUrl base of absolute links
 * @param catalog the tiers of the service
 */
export const openApiDocument = (publicUrl: string, catalog: TierCatalog = DEFAULT_CATALOG): OpenApiDocument => {
  // The generator's types are looser, above all for extensions; ours cover what is read and written here.
  const document = generateOpenApiDocument(documentedRouter(), {
    title: "Assay",
    version: VERSION,
    openApiVersion: "3.1.0",
    baseUrl: publicUrl,
    securitySchemes: SECURITY_SCHEMES,
  }) as unknown as OpenApiDocument;
  document.info = infoOf(publicUrl, catalog);
  document.servers = [{ url: publicUrl, description: "This service" }];
  document.externalDocs = { description: "Guides", url: `${publicUrl}/docs/guides` };
  document.security = KEY_REQUIRED;
  document.tags = tagsOf(EVERYTHING, publicUrl);
  document.components.schemas = { ...document.components.schemas, ...errorSchemas(), ...webhookSchemas() };
  document.components.headers = { ...HEADERS };
  document.components.responses = { UnexpectedError: UNEXPECTED_ERROR };
  for (const [resource, routes] of Object.entries(EVERYTHING)) {
    for (const [action, route] of Object.entries(routes)) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      if (!operation) throw new Error(`the generator left out ${route.method} ${route.path}`);
      overlay(operation, route, operationId(resource, action), { publicUrl, catalog });
    }
  }
  Object.assign(document.paths, streamPaths(publicUrl, catalog.keyless.tier, security));
  document.webhooks = webhooks();
  return withoutUnused(tidy(document) as OpenApiDocument); // same shape, with narrower schemas
};
