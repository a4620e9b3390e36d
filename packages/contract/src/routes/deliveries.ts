/** Deliveries: the events of the last 30 days, and what became of each. */
import { z } from "zod";
import { hints, PAGE_NAMES } from "../hints.ts";
import { route } from "../route.ts";
import { clockReading, EXAMPLE_READING, errorClass, known, timestamp } from "../values.ts";
import { EXAMPLE_ALERT, EXAMPLE_DELIVERY, EXAMPLE_ENDPOINT, exampleEvent, WEBHOOK_TYPES } from "../webhooks.ts";
import { alertId, endpointId } from "./alerts.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const MAX_ROWS = 1_000;

const delivery = z
  .object({
    id: z.string().meta({ description: "The event's webhook-id, the same in every try", examples: [EXAMPLE_DELIVERY] }),
    type: z.string().meta({ description: "The event's type", examples: ["price.above"], ...known(WEBHOOK_TYPES) }),
    alert_id: z
      .string()
      .nullable()
      .meta({ description: "The alert; null for a test", examples: [EXAMPLE_ALERT] }),
    endpoint_id: z.string().meta({ description: "Where it is sent", examples: [EXAMPLE_ENDPOINT] }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: "pending: it is tried, or will be. delivered: the endpoint answered 2xx. failed: it is not tried any more",
    }),
    tries: z.int().min(0).meta({ description: "How often it was tried" }),
    created_at: clockReading("When the event happened"),
    next_try_at: timestamp("When it is tried next; null unless it is pending").nullable(),
    last_try_at: timestamp("When it was last tried; null when it was not yet").nullable(),
    last_status: z.int().nullable().meta({ description: "The HTTP status of the last try; null when there was no answer" }),
    last_error: errorClass("Why the last try failed; null when it did not").nullable(),
    payload: z.string().meta({
      description: "The body as it is sent and signed; empty while your tier does not see its price",
      examples: [JSON.stringify(exampleEvent("price.above"))],
    }),
  })
  .meta({ id: "Delivery", description: "An event, and what became of it" });

export type DeliveryPublic = z.output<typeof delivery>;

const access = { auth: "required", metered: false } as const;
const success = { status: 200, cacheControl: "no-store" } as const;

const example: DeliveryPublic = {
  id: EXAMPLE_DELIVERY,
  type: "price.above",
  alert_id: EXAMPLE_ALERT,
  endpoint_id: EXAMPLE_ENDPOINT,
  status: "delivered",
  tries: 1,
  created_at: EXAMPLE_READING,
  next_try_at: null,
  last_try_at: "2026-11-20T14:03:28Z",
  last_status: 204,
  last_error: null,
  payload: JSON.stringify(exampleEvent("price.above")),
};

/** GET /v1/account/deliveries */
export const listDeliveries = route({
  method: "GET",
  path: "/v1/account/deliveries",
  tag: "Alerts",
  summary: "List your deliveries",
  description:
    "The events of the last 30 days, newest first, with their tries. Pass `next_cursor` as `cursor` for the next older page; null means there are no more pages.",
  access,
  input: z.object({
    alert_id: alertId.meta({ description: "Only events of this alert", examples: [EXAMPLE_ALERT] }).optional(),
    endpoint_id: endpointId.meta({ description: "Only events to this endpoint", examples: [EXAMPLE_ENDPOINT] }).optional(),
    status: z.enum(DELIVERY_STATUSES).meta({ description: "Only events with this status" }).optional(),
    limit: z
      .int()
      .min(1)
      .max(MAX_ROWS)
      .default(100)
      .meta({
        description: "At most this many rows",
        override: { type: "integer", minimum: 1, maximum: MAX_ROWS, default: 100 },
      }),
    cursor: z.string().min(1).max(64).meta({ description: "next_cursor of the previous page; opaque" }).optional(),
  }),
  hints: hints(["after", "since", "from", ...PAGE_NAMES], "the next page is cursor, the next_cursor of the page before"),
  output: z
    .object({
      deliveries: z.array(delivery).meta({ description: "Newest first" }),
      next_cursor: z.string().nullable().meta({ description: "Cursor of the next older page; null when there are no more" }),
    })
    .meta({ id: "DeliveriesPage", description: "One page of deliveries, newest first" }),
  success,
  errors: ["validation_error", "service_unavailable"],
  paging: { items: "deliveries", at: "created_at" },
  examples: {
    delivered: { summary: "One event, delivered at once", value: { deliveries: [example], next_cursor: null } },
    failing: {
      summary: "One that is tried again; more are to come",
      value: {
        deliveries: [
          {
            ...example,
            status: "pending",
            tries: 3,
            next_try_at: "2026-11-20T14:15:58Z",
            last_try_at: "2026-11-20T14:06:02Z",
            last_status: 500,
            last_error: "status",
          },
        ],
        next_cursor: `${Date.parse(example.created_at)}.${EXAMPLE_DELIVERY}`,
      },
    },
  },
});

/** POST /v1/account/deliveries/{delivery_id}/redeliver */
export const redeliver = route({
  method: "POST",
  path: "/v1/account/deliveries/{delivery_id}/redeliver",
  tag: "Alerts",
  summary: "Send an event again",
  description: "Sends the same bytes under the same webhook-id again, at once and with all the tries of a new event.",
  access,
  input: z.object({
    delivery_id: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "The delivery's id", examples: [EXAMPLE_DELIVERY] }),
  }),
  output: delivery,
  success,
  errors: ["delivery_not_found", "endpoint_not_found", "service_unavailable"],
  examples: {
    pending: {
      summary: "On its way again",
      value: { ...example, status: "pending", tries: 0, next_try_at: "2026-11-20T14:03:27Z" },
    },
  },
});
