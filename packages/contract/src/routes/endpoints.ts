/** Endpoints: where an organisation's events are sent. */
import { z } from "zod";
import { route } from "../route.ts";
import { EXAMPLE_MOMENT, known, timestamp } from "../values.ts";
import { EXAMPLE_DELIVERY, EXAMPLE_ENDPOINT, SECRET_PREFIX } from "../webhooks.ts";
import { endpointId } from "./alerts.ts";

export const MAX_ENDPOINTS = 20;
const MAX_URL = 2_000;

/** Why deliveries to an endpoint ended. */
export const DISABLED_REASONS = ["gone", "failing"] as const;

const id = z.string().meta({ description: "Endpoint id", examples: [EXAMPLE_ENDPOINT] });
const url = "https://example.com/hooks/assay";
const createdAt = timestamp("When it was made");

const endpoint = z
  .object({
    id,
    url: z.string().meta({ description: "Where events are posted", examples: [url] }),
    created_at: createdAt,
    failing_since: timestamp("Since when every delivery has failed; null when the last one did not").nullable(),
    disabled_at: timestamp("Since when nothing is sent any more; null while events are sent").nullable(),
    disabled_reason: z
      .string()
      .meta({
        description:
          "Why nothing is sent: gone (it answered 410) or failing (everything failed for a week). A test that succeeds enables it again",
        examples: [DISABLED_REASONS[1]],
        ...known(DISABLED_REASONS),
      })
      .nullable(),
  })
  .meta({ id: "Endpoint", description: "Where events are sent" });

export type EndpointPublic = z.output<typeof endpoint>;

const secret = z.string().meta({
  description: "Verifies the signatures of events, as Standard Webhooks has it; returned only here",
  examples: [`${SECRET_PREFIX}MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`],
});

const access = { auth: "required", metered: false } as const;
const input = z.object({ endpoint_id: endpointId });
const example: EndpointPublic = {
  id: EXAMPLE_ENDPOINT,
  url,
  created_at: EXAMPLE_MOMENT,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
};
const exampleSecret = `${SECRET_PREFIX}MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`;

const IDEMPOTENCY_KEY =
  "1 to 255 printable characters that nobody can guess, such as a random UUID. The same key and body get the same answer for 24 hours, with the secret in it";

/** GET /v1/account/endpoints */
export const listEndpoints = route({
  method: "GET",
  path: "/v1/account/endpoints",
  tag: "Alerts",
  summary: "List your endpoints",
  description: "All endpoints of your organisation, newest first, without their secrets.",
  access,
  input: z.object({}),
  output: z
    .object({ endpoints: z.array(endpoint).meta({ description: "Newest first" }) })
    .meta({ id: "EndpointList", description: "The endpoints of an organisation" }),
  success: { status: 200, cacheControl: "no-store" },
  errors: ["service_unavailable"],
  examples: {
    one: { summary: "One endpoint, in order", value: { endpoints: [example] } },
    disabled: {
      summary: "One that failed for a week",
      value: {
        endpoints: [
          {
            ...example,
            created_at: "2026-10-01T08:00:00Z",
            failing_since: "2026-11-13T14:03:27Z",
            disabled_at: EXAMPLE_MOMENT,
            disabled_reason: "failing",
          },
        ],
      },
    },
  },
});

/** POST /v1/account/endpoints */
export const createEndpoints = route({
  method: "POST",
  path: "/v1/account/endpoints",
  tag: "Alerts",
  summary: "Make an endpoint",
  description: `Where events are posted. The address is public and begins with https. The secret that verifies signatures is shown this once. An organisation can have ${MAX_ENDPOINTS} endpoints. With an Idempotency-Key, a retry within 24 hours returns the same response.`,
  access,
  input: z.object({
    url: z
      .string()
      .min(1)
      .max(MAX_URL)
      .meta({ description: "An https address with a public host, without credentials and fragment", examples: [url] }),
  }),
  output: endpoint.extend({ secret }).meta({ id: "MadeEndpoint", description: "A new endpoint, with its secret" }),
  success: { status: 201, cacheControl: "no-store" },
  errors: ["endpoint_limit_reached", "validation_error", "service_unavailable"],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  examples: { made: { summary: "The endpoint, its secret shown this once", value: { ...example, secret: exampleSecret } } },
});

/** DELETE /v1/account/endpoints/{endpoint_id} */
export const deleteEndpoints = route({
  method: "DELETE",
  path: "/v1/account/endpoints/{endpoint_id}",
  tag: "Alerts",
  summary: "Delete an endpoint",
  description: "Deletes an endpoint that no alert is sent to. What is on its way to it is not delivered any more.",
  access,
  input,
  output: z.undefined(),
  success: { status: 204, cacheControl: "no-store" },
  errors: ["endpoint_not_found", "endpoint_in_use", "service_unavailable"],
});

/** POST /v1/account/endpoints/{endpoint_id}/test */
export const testEndpoints = route({
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/test",
  tag: "Alerts",
  summary: "Send a test event",
  description:
    "Sends an `endpoint.test` event, like any other event and listed with the deliveries. A test that still waits is sent again instead of another. A disabled endpoint gets it as well, and is enabled again when it answers 2xx.",
  access,
  input,
  output: z
    .object({ delivery_id: z.string().meta({ description: "The delivery, to look it up", examples: [EXAMPLE_DELIVERY] }) })
    .meta({ id: "TestSent", description: "A test event that is on its way" }),
  success: { status: 201, cacheControl: "no-store" },
  errors: ["endpoint_not_found", "service_unavailable"],
  examples: { sent: { summary: "On its way", value: { delivery_id: EXAMPLE_DELIVERY } } },
});

/** POST /v1/account/endpoints/{endpoint_id}/rotate */
export const rotateEndpoints = route({
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/rotate",
  tag: "Alerts",
  summary: "Replace the secret of an endpoint",
  description:
    "Makes a new secret, shown this once. For 24 hours events carry a signature of each, so that receivers change over without losing one. With an Idempotency-Key, a retry within 24 hours returns the same response.",
  access,
  input,
  output: z
    .object({
      id,
      secret,
      previous_secret_until: timestamp("Until when the previous secret signs as well", "2026-11-21T14:03:27Z"),
    })
    .meta({ id: "RotatedSecret", description: "A new secret of an endpoint" }),
  success: { status: 201, cacheControl: "no-store" },
  errors: ["endpoint_not_found", "validation_error", "service_unavailable"],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  examples: {
    rotated: {
      summary: "The new secret, shown this once",
      value: { id: EXAMPLE_ENDPOINT, secret: exampleSecret, previous_secret_until: "2026-11-21T14:03:27Z" },
    },
  },
});
