/** The events that are sent to endpoints: each declared once, with when it is sent and an example. */
import { z } from "zod";
import { clockReading, decimal, EXAMPLE_MOMENT, EXAMPLE_READING, staleReason, timestamp } from "./values.ts";

/** What ids of each kind begin with. */
export const ID_PREFIXES = { alert: "al_", endpoint: "ep_", delivery: "msg_" } as const;

/** What a secret begins with; the rest is the key in Base64. */
export const SECRET_PREFIX = "whsec_";

/** How far the clock of a receiver and the timestamp of an event may be apart: five minutes. */
export const WEBHOOK_TOLERANCE_MS = 5 * 60_000;

/** The headers of an event, as Standard Webhooks names them. */
export const WEBHOOK_HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** Ids in examples, so that they agree with each other. */
export const EXAMPLE_ALERT = `${ID_PREFIXES.alert}5Jq1vZ0mT8yXc4Rb`;
export const EXAMPLE_ENDPOINT = `${ID_PREFIXES.endpoint}9Kd2uP7nW3eHf6Ls`;
export const EXAMPLE_DELIVERY = `${ID_PREFIXES.delivery}3Gt8rQ6cV1aMz0Ny`;

const alertId = z.string().meta({ description: "The alert", examples: [EXAMPLE_ALERT] });
const alertName = z
  .string()
  .optional()
  .meta({ description: "The alert's name; absent from events that earlier versions made", examples: ["gold above 4000"] });
const symbol = z.string().meta({ description: "Its symbol", examples: ["XAU-USD-SPOT"] });
const price = decimal("The price that was published, in the symbol's currency");
const computedAt = timestamp("When that price was computed");
const seq = z
  .int()
  .min(0)
  .meta({ description: "The number of the price among those of its metal", examples: [1841] });

const merged = z
  .int()
  .min(1)
  .optional()
  .meta({ description: "How many earlier events of the alert were left out, as more than ten waited; absent for none" });

const fired = z
  .object({
    alert_id: alertId,
    name: alertName,
    symbol,
    threshold: decimal("The alert's threshold: a price, or for moved a percentage", "4000"),
    price,
    computed_at: computedAt,
    seq,
    merged,
  })
  .meta({ id: "FiredData", description: "The price that an alert fired at" });

const reference = decimal("Of a move: the lowest or highest price of the window, from which it moved", "3944.04").optional();
const change = decimal("Of a move: by how many percent, with its sign and at most four decimals", "1.5").optional();

const moved = fired
  .extend({ reference_price: reference, change_percent: change })
  .meta({ id: "MovedData", description: "The price that an alert fired at, and of a move the one from which it moved" });

const aged = z
  .object({
    alert_id: alertId,
    name: alertName,
    symbol,
    stale_reason: staleReason("Why the price is stale; absent once it is fresh"),
    price,
    computed_at: computedAt,
    seq,
    merged,
  })
  .meta({ id: "StalenessData", description: "The last published price of a symbol, and why it is stale" });

const tested = z
  .object({ endpoint_id: z.string().meta({ description: "The endpoint", examples: [EXAMPLE_ENDPOINT] }) })
  .meta({ id: "TestData", description: "The endpoint that is tested" });

const eventOf = <const T extends string, D extends z.ZodObject>(type: T, id: string, description: string, data: D) =>
  z
    .object({
      type: z.literal(type).meta({ description: "What happened" }),
      timestamp: clockReading("When it happened"),
      data,
    })
    .meta({ id, description });

const firedExample = {
  alert_id: EXAMPLE_ALERT,
  name: "gold above 4000",
  symbol: "XAU-USD-SPOT",
  threshold: "4000",
  price: "4003.20",
  computed_at: EXAMPLE_MOMENT,
  seq: 1841,
};
const { threshold: _, ...agedExample } = firedExample;

/** One event: when it is sent, its body and an example of its data. */
interface WebhookEntry<S extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly schema: S;
  readonly example: Readonly<Record<string, unknown>>;
}

const declared = <S extends z.ZodObject>(summary: string, schema: S, example: WebhookEntry["example"]): WebhookEntry<S> => ({
  summary,
  schema,
  example,
});

export const WEBHOOKS = {
  "price.above": declared(
    "A price rose above an alert's threshold",
    eventOf("price.above", "PriceAboveEvent", "A published price is above the threshold, and was not before", fired),
    firedExample,
  ),
  "price.below": declared(
    "A price fell below an alert's threshold",
    eventOf("price.below", "PriceBelowEvent", "A published price is below the threshold, and was not before", fired),
    { ...firedExample, threshold: "4010" },
  ),
  "price.moved": declared(
    "A price moved by an alert's percentage within its window",
    eventOf("price.moved", "PriceMovedEvent", "A published price differs by the threshold from another of the window", moved),
    { ...firedExample, name: "gold moves", threshold: "1.5", reference_price: "3944.04", change_percent: "1.5" },
  ),
  "price.stale": declared(
    "A price went stale while its market is open",
    eventOf("price.stale", "PriceStaleEvent", "The price is past its freshness window, although the market is open", aged),
    { ...agedExample, stale_reason: "feed_down" },
  ),
  "price.fresh": declared(
    "A price that was reported as stale is fresh again",
    eventOf("price.fresh", "PriceFreshEvent", "The price is fresh again, after price.stale", aged),
    { ...agedExample, seq: 1842 },
  ),
  "price.withdrawn": declared(
    "The price that an alert fired at was withdrawn",
    eventOf(
      "price.withdrawn",
      "PriceWithdrawnEvent",
      "A price proved wrong and was withdrawn: alert_id and seq are those of the event that it takes back",
      moved,
    ),
    firedExample,
  ),
  "endpoint.test": declared(
    "An endpoint is tested",
    eventOf("endpoint.test", "EndpointTestEvent", "A test that its owner asked for", tested),
    { endpoint_id: EXAMPLE_ENDPOINT },
  ),
} as const;

export type WebhookType = keyof typeof WEBHOOKS;

/** Every type, in the order of the table. */
export const WEBHOOK_TYPES = Object.keys(WEBHOOKS) as [WebhookType, ...WebhookType[]]; // the keys of a literal

export const webhookEvent = z
  .discriminatedUnion("type", [
    WEBHOOKS["price.above"].schema,
    WEBHOOKS["price.below"].schema,
    WEBHOOKS["price.moved"].schema,
    WEBHOOKS["price.stale"].schema,
    WEBHOOKS["price.fresh"].schema,
    WEBHOOKS["price.withdrawn"].schema,
    WEBHOOKS["endpoint.test"].schema,
  ])
  .meta({ id: "WebhookEvent", description: "What is sent to an endpoint, by its type" });

export type WebhookEvent = z.output<typeof webhookEvent>;

export const exampleEvent = (type: WebhookType): WebhookEvent =>
  webhookEvent.parse({ type, timestamp: EXAMPLE_READING, data: WEBHOOKS[type].example });
