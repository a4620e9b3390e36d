/** The OpenAPI 3.1 document: generated from the router, then completed from the contract. */
import { accessNote, type Contract, contract, operationId, pages, type Route, VERSION } from "@assay/contract";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { successContents } from "./contents.ts";
import { documentedRouter } from "./documented-router.ts";
import { errorResponses, UNEXPECTED_ERROR } from "./error-responses.ts";
import { errorSchemas } from "./error-schemas.ts";
import { HEADERS, successHeaders } from "./headers.ts";
import { infoOf, SECURITY_SCHEMES, tagsOf } from "./info.ts";
import { parametersOf, queryOf } from "./parameters.ts";
import { streamPaths } from "./stream-operations.ts";
import { tidy } from "./tidy.ts";
import type { Json, OpenApiDocument, Operation, ResponseObject } from "./types.ts";

const EVERYTHING: Contract = { ...contract, ...pages };

const KEY_REQUIRED = [{ bearer: [] }, { apiKey: [] }];

const security = (route: Route): Json[] =>
  // Security with the key comes first: importers such as Postman use the first alternative and ignore the rest.
  route.access.auth === "none" ? [] : route.access.auth === "required" ? KEY_REQUIRED : [...KEY_REQUIRED, {}];

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

const describeBody = (operation: Operation): void => {
  const body = operation.requestBody;
  if (!body) return;
  body.required = false;
  body.description = "May be left out, or an empty object";
  for (const media of Object.values(body.content ?? {})) media.example = { name: "ci" };
};

const overlay = (operation: Operation, route: Route, resource: string, action: string, publicUrl: string): void => {
  const { isValidated = false } = route.success;
  operation.operationId = operationId(resource, action);
  operation.description = `${route.description}\n\n${accessNote(route)}`;
  const generated = route.method === "POST" ? queryOf(route) : (operation.parameters ?? []);
  operation.parameters = parametersOf(route, generated, isValidated);
  describeBody(operation);
  operation.responses = {
    [String(route.success.status)]: successOf(route, operation.responses["200"]),
    ...(isValidated ? { "304": unchangedOf(route) } : {}),
    ...errorResponses(route, publicUrl),
  };
  operation.security = security(route);
  if (route.successor) operation.deprecated = true;
  operation["x-tier"] = route.access.tier;
  operation["x-metered"] = route.access.metered;
};

/**
 * Builds the document.
 * @param publicUrl base of absolute links
 */
export const openApiDocument = (publicUrl: string): OpenApiDocument => {
  // The generator's types are looser, above all for extensions; ours cover what is read and written here.
  const document = generateOpenApiDocument(documentedRouter(), {
    title: "Assay",
    version: VERSION,
    openApiVersion: "3.1.0",
    baseUrl: publicUrl,
    securitySchemes: SECURITY_SCHEMES,
  }) as unknown as OpenApiDocument;
  document.info = infoOf(publicUrl);
  document.servers = [{ url: publicUrl, description: "This service" }];
  document.externalDocs = { description: "Guides", url: `${publicUrl}/docs/guides` };
  document.security = KEY_REQUIRED;
  document.tags = tagsOf(EVERYTHING, publicUrl);
  document.components.schemas = { ...document.components.schemas, ...errorSchemas() };
  document.components.headers = { ...HEADERS };
  document.components.responses = { UnexpectedError: UNEXPECTED_ERROR };
  for (const [resource, routes] of Object.entries(EVERYTHING)) {
    for (const [action, route] of Object.entries(routes)) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      if (!operation) throw new Error(`the generator left out ${route.method} ${route.path}`);
      overlay(operation, route, resource, action, publicUrl);
    }
  }
  Object.assign(document.paths, streamPaths(publicUrl, KEY_REQUIRED));
  return tidy(document) as OpenApiDocument; // same shape, with narrower schemas
};
