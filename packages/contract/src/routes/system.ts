/** Liveness, readiness and the tier catalog. */
import { z } from "zod";
import { route } from "../route.ts";
import { tierPublic } from "../tiers.ts";
import { errorClass, holderId, timestamp } from "../values.ts";

const none = z.object({});

/** GET /v1/health */
export const health = route({
  method: "GET",
  path: "/v1/health",
  tag: "System",
  summary: "Liveness",
  description: "Answers as long as the process lives. It looks at nothing downstream and is never limited.",
  access: { auth: "none", limit: "none", metered: false },
  input: none,
  output: z
    .object({
      status: z.string().meta({ description: "Always ok", examples: ["ok"] }),
      service: z.string().meta({ description: "The service's name", examples: ["assay"] }),
      version: z.string().meta({ description: "The version of the interface", examples: ["0.1.0"] }),
    })
    .meta({ id: "Health", description: "That the process lives" }),
  errors: [],
});

const check = z.object({ ok: z.boolean().meta({ description: "Whether the check holds", examples: [true] }) });
const seconds = (description: string) => z.number().min(0).nullable().meta({ description });

/** One feed's freshness in the status document. */
export const feedStatus = z
  .object({
    status: z
      .enum(["ok", "failing", "waiting"])
      .meta({ description: "ok, failing (late or refused), or waiting for its first success" }),
    required: z.boolean().meta({ description: "Whether the overall status depends on it" }),
    expected_interval_seconds: z.number().meta({ description: "Seconds between successes when all is well" }),
    last_success_at: timestamp("Last success").nullable(),
    age_seconds: seconds("Seconds since the last success"),
    consecutive_failures: z.int().min(0).meta({ description: "Failures since the last success" }),
    rejected_observations: z.int().min(0).meta({ description: "Observations refused by a rule since the start" }),
    last_error: errorClass("The class of the last failure, or the rule of the last refusal; null before the first").nullable(),
  })
  .meta({ id: "FeedStatus", description: "The freshness of one feed" });
/** One feed's freshness. */
export type FeedStatus = z.output<typeof feedStatus>;

/** GET /v1/status */
export const status = route({
  method: "GET",
  path: "/v1/status",
  tag: "System",
  summary: "Readiness, feed freshness and value staleness",
  description:
    "`ok` only when the cache answers, every required feed's last success is within twice its interval, XAU bars are fresh, and the configured live writer holds the lease. While the market is closed, bars are fresh that reach into its last session. `value_staleness` says what rows without delay say, and does not change the overall status. Always 200.",
  access: { auth: "none", limit: "light", metered: false },
  input: none,
  output: z
    .object({
      status: z.enum(["ok", "degraded"]).meta({ description: "The overall status" }),
      checked_at: timestamp("When this was looked at"),
      version: z.string().meta({ description: "The version of the interface", examples: ["0.1.0"] }),
      checks: z
        .object({
          cache: check.meta({ id: "Check", description: "Whether the cache answers" }),
          bars: check
            .extend({
              last_bar_at: timestamp("Start of the newest XAU-USD-SPOT minute").nullable(),
              age_seconds: seconds("Seconds since it began"),
            })
            .meta({ id: "BarsCheck", description: "Whether XAU-USD-SPOT bars are fresh" }),
          live_writer: check
            .extend({
              configured: holderId("The writer that ought to hold the lease; null for any").nullable(),
              lease_owner: holderId("Who holds it; null while nobody does").nullable(),
              lease_expires_at: timestamp("Until when").nullable(),
              fencing_token: z.int().nullable().meta({ description: "Rises by one at each takeover" }),
            })
            .meta({ id: "WriterCheck", description: "Whether the writer that ought to hold the lease holds it" }),
        })
        .meta({ description: "What the overall status rests on, beside the feeds" }),
      scrapers: z.record(z.string(), feedStatus).meta({ description: "Each feed by its key" }),
      value_staleness: z
        .record(
          z.string(),
          z
            .object({
              is_stale: z.boolean().meta({ description: "Past its freshness window" }),
              age_seconds: seconds("Seconds since the price was computed"),
              reason: z.string().nullable().meta({ description: "Why it is stale; null when it is not" }),
            })
            .meta({ id: "ValueStaleness", description: "The freshness of one price" }),
        )
        .meta({ description: "Each priced symbol" }),
      market: z
        .object({
          state: z.enum(["open", "closed"]).meta({ description: "Whether the spot market is open" }),
          next_change_at: timestamp("When that changes").nullable(),
        })
        .meta({ description: "Whether the spot market trades" }),
      archives: z
        .object({
          pending: z.int().nullable().meta({ description: "Years still to be built; null before the first look" }),
          built: z.int().meta({ description: "Years built since the writer leads" }),
          last_built_at: timestamp("When one was built last").nullable(),
          last_error: errorClass("The class of what stopped the last try; null when nothing did").nullable(),
        })
        .meta({ id: "ArchivesStatus", description: "How the yearly archives fare; the overall status does not rest on it" })
        .nullable()
        .meta({ description: "How the yearly archives fare; null where none are kept" }),
      simulated: z.boolean().meta({ description: "Whether any figure of this service is made by the simulated market" }),
      reasons: z.array(z.string()).meta({ description: "Why it is degraded, in words" }),
    })
    .meta({ id: "Status", description: "Whether prices can be trusted right now, and why not" }),
  success: { status: 200, cacheControl: "no-store" },
  errors: [],
});

/** GET /v1/metadata/tiers */
export const listTiers = route({
  method: "GET",
  path: "/v1/metadata/tiers",
  tag: "System",
  summary: "The tier catalog",
  description: "What each tier costs and allows, ordered Free, Basic, Physical, Pro, Realtime Pro.",
  access: { auth: "none", limit: "light", metered: false },
  input: none,
  output: z.array(tierPublic),
  success: { status: 200, cacheControl: "public, max-age=3600" },
  errors: [],
});
