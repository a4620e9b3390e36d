/** The parts of an OpenAPI document that are read or written here. */

/** Any JSON object. */
export type Json = { [key: string]: unknown };

/** A response of an operation. */
export interface ResponseObject {
  description: string;
  headers?: Record<string, Json>;
  content?: unknown;
}

/** One operation. */
export interface Operation {
  operationId?: string;
  parameters?: Json[];
  requestBody?: { required?: boolean };
  responses: Record<string, ResponseObject>;
  security?: Json[];
  deprecated?: boolean;
  "x-tier"?: string;
  "x-metered"?: boolean;
}

/** The document. */
export interface OpenApiDocument {
  openapi: string;
  tags: Json[];
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}
