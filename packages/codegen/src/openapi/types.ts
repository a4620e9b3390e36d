/** The parts of an OpenAPI document that this package reads or writes. */

export type Json = { [key: string]: unknown };

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  description?: string;
  schema: Json;
  example?: unknown;
}

export interface MediaType {
  schema?: unknown;
  example?: unknown;
  examples?: Json;
}

/** A response of an operation, or a reference to one of the components. */
export interface ResponseObject {
  $ref?: string;
  description: string;
  headers?: Record<string, Json>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; required?: boolean; content?: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
  security?: Json[];
  deprecated?: boolean;
  "x-tier"?: string;
  "x-metered"?: boolean;
}

export interface OpenApiDocument {
  openapi: string;
  info: Json;
  tags: Json[];
  externalDocs?: Json;
  servers: { url: string; description?: string }[];
  security?: Json[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Json; headers?: Json; responses?: Record<string, ResponseObject> };
}
