/** The webhooks of the document: what is posted to endpoints, from the contract's table of events. */
import { exampleEvent, WEBHOOK_HEADERS, WEBHOOK_TYPES, WEBHOOKS, type WebhookType } from "@assay/contract";
import { z } from "zod";
import type { Json, Operation, Parameter } from "./types.ts";

const SHARED = "#/$defs/";

/** Points references at the document's components. */
const placed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? inner.replace(SHARED, "#/components/schemas/") : placed(inner),
    ]),
  );
};

const nameOf = (type: WebhookType): string => WEBHOOKS[type].schema.meta()?.id ?? type;

/** The schema of every event, and of what several of them share. */
export const webhookSchemas = (): Json =>
  Object.fromEntries(
    WEBHOOK_TYPES.flatMap((type) => {
      // A schema with an id is among its own definitions.
      const { $defs = {} } = z.toJSONSchema(WEBHOOKS[type].schema, { io: "output" });
      return Object.entries($defs).map(([name, { id: _, ...schema }]) => [name, placed(schema)]);
    }),
  );

const header = (name: string, description: string, example: string): Parameter => ({
  in: "header",
  name,
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const HEADERS: readonly Parameter[] = [
  header(WEBHOOK_HEADERS.id, "The event's id, the same in every try: process each id once", "msg_3Gt8rQ6cV1aMz0Ny"),
  header(WEBHOOK_HEADERS.timestamp, "When this try was sent, epoch seconds; refuse it when that is minutes off", "1795183407"),
  header(
    WEBHOOK_HEADERS.signature,
    "`v1,` and the HMAC-SHA256, in Base64, of id, timestamp and body joined by dots; two of them, separated by a space, for a day after a rotation",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

const DESCRIPTION =
  "Posted to your endpoint, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. An answer of 2xx within 10 seconds accepts it; anything else is tried again, for about a day and a half in all.";

const operationOf = (type: WebhookType): Operation & Json => ({
  operationId: `on${nameOf(type)}`,
  tags: ["Alerts"],
  summary: WEBHOOKS[type].summary,
  description: DESCRIPTION,
  security: [],
  parameters: [...HEADERS],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${nameOf(type)}` },
        examples: { [type]: { summary: WEBHOOKS[type].summary, value: exampleEvent(type) } },
      },
    },
  },
  responses: {
    "2XX": { description: "Accepted; the answer is not read" },
    "410": { description: "Gone: the endpoint is disabled" },
    default: { description: "Not accepted; it is tried again" },
  },
});

/** Every event, by its type. */
export const webhooks = (): Record<string, { readonly post: Operation }> =>
  Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, { post: operationOf(type) }]));
