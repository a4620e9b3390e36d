/** The part of a deployment's OpenAPI document that is compared with the contract. */
import { z } from "zod";

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
/** One operation of the document. */
export type Operation = z.output<typeof operation>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

const pathItem = z.object(Object.fromEntries(METHODS.map((method) => [method, operation.optional()])));

/** The parts of the document that are read. */
export const openApiDocument = z.object({
  openapi: z.string().regex(/^3\./),
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), pathItem),
});
/** Parses the document. */
export type OpenApiDocument = z.output<typeof openApiDocument>;

/** An operation's name: `GET /v1/prices`. */
export const operationsOf = ({ paths }: OpenApiDocument): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const found = item[method];
        return found ? [[`${method.toUpperCase()} ${path}`, found] as const] : [];
      }),
    ),
  );
