/** Price alerts, each of which sends events to one of its organisation's endpoints. */
import { z } from "zod";
import { hints } from "../hints.ts";
import { route } from "../route.ts";
import { decimal, EXAMPLE_MOMENT, known, SPOT_NAMES, timestamp } from "../values.ts";
import { EXAMPLE_ALERT, EXAMPLE_ENDPOINT } from "../webhooks.ts";
import { METAL_TIERS, QUOTING_SENTENCE } from "../wording.ts";
import { label } from "./account.ts";

export const ALERT_KINDS = ["above", "below", "moved", "stale"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const MOVE_DIRECTIONS = ["up", "down", "either"] as const;
export type MoveDirection = (typeof MOVE_DIRECTIONS)[number];

/** Where an alert is between two events. */
export const ALERT_STATES = ["armed", "waiting", "fired", "stale"] as const;
/**
 * Where an alert stands: `armed` fires at the next crossing, `waiting` first needs the price back, `stale` has reported that its
 * symbol is stale, `fired` has fired once and ended.
 */
export type AlertState = (typeof ALERT_STATES)[number];

/** Why an alert is not judged. */
export const PAUSED_REASONS = ["suspended", "tier", "limit"] as const;

/** The longest id of any kind; all of ours are shorter. */
const MAX_ID = 64;
/** The longest threshold: more digits than any price has. */
const MAX_DIGITS = 32;
/** The shortest and the longest window of `moved`, in seconds. */
const WINDOW_SECONDS = { min: 60, max: 86_400 };

const id = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(MAX_ID)
    .meta({ description, examples: [example] });

export const alertId = id("The alert's id", EXAMPLE_ALERT);

export const endpointId = id("The endpoint's id", EXAMPLE_ENDPOINT);

const threshold = z
  .string({
    error: ({ input }) =>
      input === undefined ? "is required" : 'must be decimal text, such as "4000": a JSON number may have lost digits in a float',
  })
  .max(MAX_DIGITS)
  .regex(/^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/, "must be a plain decimal above 0, such as 4000 or 1.5")
  .refine((text) => !/^[0.]+$/.test(text), "must be above 0")
  .meta({
    description:
      "For above and below a price, in the symbol's currency and unit; for moved a percentage of at least 0.01; not with stale",
    format: "decimal",
    examples: ["4000"],
  });

const windowSeconds = z
  .int()
  .min(WINDOW_SECONDS.min)
  .max(WINDOW_SECONDS.max)
  .meta({ description: "For moved alone: the length of the window, in seconds; 3600 is an hour" });

const direction = z
  .enum(MOVE_DIRECTIONS)
  .meta({ description: "For moved alone: which way the price has to move; either when left out", examples: ["down"] });

const name = label.meta({ description: "A name for it, of visible characters", examples: ["gold above 4000"] });

const once = z.boolean().meta({
  description:
    "True: it fires once and ends. False: above and below fire again after the price was back by 0.1 %, moved after it moved that much again, stale every time, each once a minute at most. The event that ends a stale one is sent in either case",
});

const given = (description: string) => ({ description });

const alert = z
  .object({
    id: z.string().meta({ ...given("Alert id"), examples: [EXAMPLE_ALERT] }),
    name: z.string().meta(given("Its name")),
    symbol: z.string().meta({ ...given("Its symbol, canonical form"), examples: ["XAU-USD-SPOT"] }),
    kind: z.enum(ALERT_KINDS).meta(given("What it watches for")),
    threshold: decimal("As given; null for stale", "4000").nullable(),
    window_seconds: z.int().nullable().meta(given("The length of the window; null except for moved")),
    direction: z.enum(MOVE_DIRECTIONS).nullable().meta(given("Which way the price has to move; null except for moved")),
    once: z.boolean().meta(given("Whether it fires once and ends")),
    endpoint_id: z.string().meta({ ...given("Where its events are sent"), examples: [EXAMPLE_ENDPOINT] }),
    state: z
      .enum(ALERT_STATES)
      .meta(
        given(
          "armed: it fires when its condition becomes true. waiting: it is true already, or fired, and has to become false first. stale: it reported that the symbol is stale. fired: it fired once and ended",
        ),
      ),
    paused_reason: z
      .string()
      .meta({
        description:
          "Why it is not judged now: suspended (by the operator), tier (yours no longer includes the symbol) or limit (yours includes fewer alerts, and the newest are paused). It goes on as if it was made then",
        examples: [PAUSED_REASONS[2]],
        ...known(PAUSED_REASONS),
      })
      .nullable(),
    last_fired_at: timestamp("When it last fired; null when it has not").nullable(),
    created_at: timestamp("When it was made"),
    updated_at: timestamp("When it was last changed by its owner"),
  })
  .meta({ id: "Alert", description: "A price alert: its condition, its endpoint, and whether it has fired" });

export type AlertPublic = z.output<typeof alert>;

const changed = alert
  .extend({
    already_true: z.boolean().meta({
      description: "Whether its condition holds already at the price that you see: it then fires only after it was false",
    }),
  })
  .meta({ id: "ChangedAlert", description: "An alert that was made or changed" });

const access = { auth: "required", metered: false } as const;
const success = { status: 200, cacheControl: "no-store" } as const;

const example: AlertPublic = {
  id: EXAMPLE_ALERT,
  name: "gold above 4000",
  symbol: "XAU-USD-SPOT",
  kind: "above",
  threshold: "4000",
  window_seconds: null,
  direction: null,
  once: true,
  endpoint_id: EXAMPLE_ENDPOINT,
  state: "armed",
  paused_reason: null,
  last_fired_at: null,
  created_at: EXAMPLE_MOMENT,
  updated_at: EXAMPLE_MOMENT,
};

/** What is said of rules in `createAlerts` and `updateAlerts`. */
const RULES =
  "`above` and `below` fire when a published price crosses the threshold from the other side, `moved` when it differs by `threshold` percent from the lowest (up) or the highest (down) of the last `window_seconds`, also of those before it was made, `stale` when the symbol goes stale while its market is open, and again (`price.fresh`) when it is fresh. An alert whose condition is true already answers `already_true` and does not fire until it was false. Nothing fires on a stale, unconfirmed or withdrawn price; if the price that fired is withdrawn later, `price.withdrawn` follows. Alerts of Free are judged on prices 15 minutes late, as it sees them.";

/** GET /v1/account/alerts */
export const listAlerts = route({
  method: "GET",
  path: "/v1/account/alerts",
  tag: "Alerts",
  summary: "List your alerts",
  description: "All alerts of your organisation, newest first, and how many your tier allows.",
  access,
  input: z.object({}),
  output: z
    .object({
      alerts: z.array(alert).meta({ description: "Newest first" }),
      max_alerts: z.int().min(0).meta({ description: "Alerts that your tier allows" }),
    })
    .meta({ id: "AlertList", description: "The alerts of an organisation" }),
  success,
  errors: ["service_unavailable"],
  formats: { csv: "alerts" },
  tool: {
    name: "list_alerts",
    description:
      "The price alerts that the user's organisation has set, with their thresholds and whether they have fired. Tools cannot change them.",
  },
  examples: {
    one: { summary: "One alert, which has not fired", value: { alerts: [example], max_alerts: 100 } },
    none: { summary: "None", value: { alerts: [], max_alerts: 3 } },
  },
});

/** POST /v1/account/alerts */
export const createAlerts = route({
  method: "POST",
  path: "/v1/account/alerts",
  tag: "Alerts",
  summary: "Make an alert",
  description: `Sends an event to one of your endpoints when a price does what you wait for. ${RULES} Symbols are those of \`/v1/spot/{symbol}\`. ${QUOTING_SENTENCE} ${METAL_TIERS} With an Idempotency-Key, a retry within 24 hours returns the same response.`,
  access,
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "A symbol, as `/v1/spot/{symbol}` takes it", examples: ["XAU-USD-SPOT"], ...known(SPOT_NAMES) }),
    kind: z.enum(ALERT_KINDS).meta({ description: "What to watch for", examples: ["above"] }),
    threshold: threshold.optional(),
    window_seconds: windowSeconds.optional(),
    direction: direction.optional(),
    once: once.default(true),
    endpoint_id: endpointId,
    name: name.optional(),
  }),
  hints: {
    ...hints(["url", "webhook", "callback", "endpoint"], "events are sent to an endpoint: its id is endpoint_id"),
    ...hints(["price", "value", "limit", "target", "percent"], "the price or the percentage is threshold"),
    ...hints(["type", "condition"], "what is watched for is kind"),
    ...hints(["window", "seconds", "period"], "the window of moved is window_seconds"),
  },
  output: changed,
  success: { status: 201, cacheControl: "no-store" },
  errors: [
    "invalid_symbol",
    "plan_gated",
    "not_found",
    "endpoint_not_found",
    "alert_limit_reached",
    "validation_error",
    "service_unavailable",
  ],
  requestHeaders: {
    "Idempotency-Key":
      "1 to 255 printable characters, such as a random UUID. The same key and body get the same answer for 24 hours",
  },
  examples: {
    armed: { summary: "An alert that fires above 4000", value: { ...example, already_true: false } },
    true: { summary: "The price is above already", value: { ...example, state: "waiting", already_true: true } },
  },
});

/** GET /v1/account/alerts/{alert_id} */
export const getAlerts = route({
  method: "GET",
  path: "/v1/account/alerts/{alert_id}",
  tag: "Alerts",
  summary: "An alert",
  description: "One alert of your organisation, and where it is.",
  access,
  input: z.object({ alert_id: alertId }),
  output: alert,
  success,
  errors: ["alert_not_found", "service_unavailable"],
  examples: { one: { summary: "An alert that waits for its price", value: example } },
});

/** PATCH /v1/account/alerts/{alert_id} */
export const updateAlerts = route({
  method: "PATCH",
  path: "/v1/account/alerts/{alert_id}",
  tag: "Alerts",
  summary: "Change an alert",
  description:
    "Changes the fields that are given; symbol and kind stay. With `threshold`, `window_seconds`, `direction` or `once` it is judged afresh, as if it was made now: so one that has fired is armed again.",
  access,
  input: z.object({
    alert_id: alertId,
    threshold: threshold.optional(),
    window_seconds: windowSeconds.optional(),
    direction: direction.optional(),
    once: once.optional(),
    endpoint_id: endpointId.optional(),
    name: name.optional(),
  }),
  hints: hints(["symbol", "kind"], "it stays as it was made; make another alert instead"),
  output: changed,
  success,
  errors: ["alert_not_found", "endpoint_not_found", "plan_gated", "validation_error", "service_unavailable"],
  examples: {
    higher: { summary: "With a higher threshold", value: { ...example, threshold: "4100", already_true: false } },
  },
});

/** DELETE /v1/account/alerts/{alert_id} */
export const deleteAlerts = route({
  method: "DELETE",
  path: "/v1/account/alerts/{alert_id}",
  tag: "Alerts",
  summary: "Delete an alert",
  description: "Deletes one of your alerts: it fires no more. Events that are on their way are still delivered.",
  access,
  input: z.object({ alert_id: alertId }),
  output: z.undefined(),
  success: { status: 204, cacheControl: "no-store" },
  errors: ["alert_not_found", "service_unavailable"],
});
