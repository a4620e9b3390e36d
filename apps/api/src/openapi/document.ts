/** The OpenAPI 3.1 document: generated from the router, then overlaid with what only the contract can say. */
import { contract, type Route, VERSION } from "@assay/contract";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { createDocumentedRouter } from "../trpc.ts";
import { errorResponses } from "./error-responses.ts";
import { errorSchemas } from "./error-schemas.ts";
import { successHeaders } from "./headers.ts";
import type { Json, OpenApiDocument, Operation } from "./types.ts";

const DESCRIPTION = [
  "Prices of gold, silver and copper, exact to the digit: spot in 31 currencies, bars, conversion and karat prices.",
  "",
  "Decimal amounts are JSON strings and must be parsed as decimals. Timestamps are ISO-8601 UTC.",
  "Free and keyless prices are 15 minutes late; paid tiers are live. There is no CORS: keep keys on your server.",
  "Prices are spot-based: they exclude dealer premiums, tax and making charges.",
].join("\n");

const TAGS: Record<string, string> = {
  System: "Liveness, readiness and the tier catalog.",
  "Public history": "A year of daily gold closes for everybody.",
  "Spot prices": "Spot prices and how far their sources agree.",
  Bars: "OHLCV bars.",
  Conversion: "Between metals, currencies and weights.",
  Account: "Your keys and usage.",
};

const KEY_REQUIRED = [{ bearer: [] }, { apiKey: [] }];

const security = (route: Route): Json[] =>
  route.access.auth === "none" ? [] : route.access.auth === "required" ? KEY_REQUIRED : [{}, ...KEY_REQUIRED];

const requestHeaders = (route: Route): Json[] => [
  {
    in: "header",
    name: "X-Request-Id",
    required: false,
    description: "Your own id for the request, echoed on the answer",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
  },
  ...Object.entries(route.requestHeaders ?? {}).map(([name, description]) => ({
    in: "header",
    name,
    required: false,
    description,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  })),
];

const overlay = (operation: Operation, route: Route, name: string): void => {
  const success = String(route.success.status);
  const generated = operation.responses["200"] ?? { description: "" };
  operation.operationId = name;
  operation.responses = {
    [success]: {
      description: route.success.status === 204 ? "Done; no body" : route.summary,
      headers: successHeaders(route),
      ...(route.success.status === 204 ? {} : { content: generated.content }),
    },
    ...errorResponses(route),
  };
  operation.security = security(route);
  operation.parameters = [...(operation.parameters ?? []), ...requestHeaders(route)];
  if (operation.requestBody) operation.requestBody.required = false;
  if (route.successor) operation.deprecated = true;
  operation["x-tier"] = route.access.tier;
  operation["x-metered"] = route.access.metered;
};

/** camelCase of resource and action, as generated clients name their methods. */
const operationName = (resource: string, action: string): string =>
  `${resource}${action.charAt(0).toUpperCase()}${action.slice(1)}`;

/**
 * Makes the document.
 * @param publicUrl base of absolute links
 */
export const openApiDocument = (publicUrl: string): OpenApiDocument => {
  // The generator's own types are looser and looser still in their extensions; ours name what is read and written here.
  const document = generateOpenApiDocument(createDocumentedRouter(), {
    title: "Assay",
    description: DESCRIPTION,
    version: VERSION,
    openApiVersion: "3.1.0",
    baseUrl: publicUrl,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An alias of the bearer form" },
    },
  }) as unknown as OpenApiDocument;
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  document.components.schemas = { ...document.components.schemas, ...errorSchemas() };
  for (const [resource, routes] of Object.entries(contract)) {
    for (const [action, route] of Object.entries<Route>(routes)) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      if (!operation) throw new Error(`the generator left out ${route.method} ${route.path}`);
      overlay(operation, route, operationName(resource, action));
    }
  }
  return document;
};
