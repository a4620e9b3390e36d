/** Liveness and readiness. */
import { z } from "zod";
import { keylessText } from "../keyless.ts";
import { route } from "../route.ts";
import { DEFAULT_CATALOG, TIER_NAMES } from "../tiers.ts";
import { EXAMPLE_MOMENT, errorClass, holderId, timestamp } from "../values.ts";

/** The API version, as health and the documents report it. */
export const VERSION = "0.1.0";

const none = z.object({});

/** GET /v1/health */
export const health = route({
  method: "GET",
  path: "/v1/health",
  tag: "System",
  summary: "Liveness",
  description:
    "Answers while the process is running. Checks no dependencies, has no rate limit, and ignores parameters: a probe may add what it likes.",
  access: { auth: "none", limit: "none", metered: false },
  ignoresUnknown: true,
  input: none,
  output: z
    .object({
      status: z.string().meta({ description: "Always ok", examples: ["ok"] }),
      service: z.string().meta({ description: "The service's name", examples: ["assay"] }),
      version: z.string().meta({ description: "The API version", examples: ["0.1.0"] }),
    })
    .meta({ id: "Health", description: "The process is running" }),
  errors: [],
  examples: {
    alive: { summary: "The process lives", value: { status: "ok", service: "assay", version: VERSION } },
  },
});

const check = z.object({ ok: z.boolean().meta({ description: "Whether the check passes", examples: [true] }) });

const seconds = (description: string) => z.number().min(0).nullable().meta({ description });

/** One feed's freshness in the status document. */
export const feedStatus = z
  .object({
    status: z
      .enum(["ok", "failing", "waiting"])
      .meta({ description: "ok, failing (late or rejected), or waiting for its first success" }),
    required: z.boolean().meta({ description: "Whether the overall status depends on it" }),
    expected_interval_seconds: z.number().meta({ description: "Expected seconds between successes" }),
    last_success_at: timestamp("Last success").nullable(),
    age_seconds: seconds("Seconds since the last success"),
    consecutive_failures: z.int().min(0).meta({ description: "Failures since the last success" }),
    rejected_observations: z.int().min(0).meta({ description: "Observations rejected by a rule since the start" }),
    last_error: errorClass("The class of the last failure, or the rule of the last refusal; null before the first").nullable(),
  })
  .meta({ id: "FeedStatus", description: "The freshness of one feed" });

export type FeedStatus = z.output<typeof feedStatus>;

const exampleFeed: FeedStatus = {
  status: "ok",
  required: true,
  expected_interval_seconds: 5,
  last_success_at: "2026-11-20T14:03:25Z",
  age_seconds: 2.4,
  consecutive_failures: 0,
  rejected_observations: 0,
  last_error: null,
};

const statusDocument = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({ description: "The overall status" }),
    checked_at: timestamp("When this was checked"),
    version: z.string().meta({ description: "The API version", examples: ["0.1.0"] }),
    commit: z
      .string()
      .optional()
      .meta({ description: "The commit that the process was built from, if it is known", examples: ["b647b0f27c2d"] }),
    checks: z
      .object({
        cache: check.meta({ id: "Check", description: "Whether the cache responds" }),
        bars: check
          .extend({
            last_bar_at: timestamp("Start of the newest XAU-USD-SPOT minute").nullable(),
            age_seconds: seconds("Seconds since it began"),
          })
          .meta({ id: "BarsCheck", description: "Whether XAU-USD-SPOT bars are fresh" }),
        live_writer: check
          .extend({
            configured: holderId("The expected holder of the lease; null for any").nullable(),
            lease_owner: holderId("The holder; null if there is none").nullable(),
            lease_expires_at: timestamp("Until when").nullable(),
            fencing_token: z.int().nullable().meta({ description: "Increases by one at each takeover" }),
          })
          .meta({ id: "WriterCheck", description: "Whether the expected writer holds the lease" }),
      })
      .meta({ description: "What the overall status depends on, besides the feeds" }),
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
    history: z
      .object({
        complete: z.boolean().meta({ description: "Whether every stored series reaches as far back as it is to" }),
        pending: z.int().min(0).meta({ description: "Bars still to be filled in, counted as if the market never closed" }),
      })
      .meta({ id: "HistoryStatus", description: "How far the past has been filled in; does not affect the overall status" }),
    archives: z
      .object({
        pending: z.int().nullable().meta({ description: "Years still to be built; null before the first check" }),
        built: z.int().meta({ description: "Years built since this writer became the leader" }),
        last_built_at: timestamp("When one was built last").nullable(),
        last_error: errorClass("The class of the last error; null if there was none").nullable(),
      })
      .meta({ id: "ArchivesStatus", description: "State of the yearly archives; does not affect the overall status" })
      .nullable()
      .meta({ description: "State of the yearly archives; null if they are disabled" }),
    keyless: z
      .object({
        tier: z.enum(TIER_NAMES).meta({ description: "The tier of callers without a key", examples: ["free"] }),
        description: z.string().meta({ description: "What they have, in words", examples: [keylessText(DEFAULT_CATALOG)] }),
      })
      .meta({ id: "KeylessAccess", description: "What callers without a key have; does not affect the overall status" }),
    simulated: z.boolean().meta({ description: "Whether any figure of this service comes from the simulated market" }),
    reasons: z.array(z.string()).meta({ description: "Why it is degraded" }),
  })
  .meta({ id: "Status", description: "Whether prices can be trusted right now, and why not" });

const healthy: z.output<typeof statusDocument> = {
  status: "ok",
  checked_at: EXAMPLE_MOMENT,
  version: VERSION,
  checks: {
    cache: { ok: true },
    bars: { ok: true, last_bar_at: "2026-11-20T14:03:00Z", age_seconds: 27.4 },
    live_writer: {
      ok: true,
      configured: null,
      lease_owner: "3f1c9a0b72de",
      lease_expires_at: "2026-11-20T14:03:35Z",
      fencing_token: 7,
    },
  },
  scrapers: { swissquote: exampleFeed },
  value_staleness: { "XAU-USD-SPOT": { is_stale: false, age_seconds: 0.4, reason: null } },
  market: { state: "open", next_change_at: "2026-11-20T22:00:00Z" },
  history: { complete: true, pending: 0 },
  archives: { pending: 0, built: 14, last_built_at: "2026-11-20T00:10:31Z", last_error: null },
  keyless: { tier: "free", description: keylessText(DEFAULT_CATALOG) },
  simulated: false,
  reasons: [],
};

/** GET /v1/status */
export const status = route({
  method: "GET",
  path: "/v1/status",
  tag: "System",
  summary: "Readiness, feed freshness and value staleness",
  description:
    "`ok` only if the cache and the database respond and accept writes, every required feed last succeeded within twice its interval, XAU bars are fresh, and the configured live writer holds the lease. While the market is closed, bars count as fresh if they reach into its last session. `reasons` says what is wrong and what is weaker meanwhile. `value_staleness` has the same reasons as live price rows, and does not affect the overall status. Always 200.",
  access: { auth: "none", limit: "light", metered: false },
  input: none,
  output: statusDocument,
  success: { status: 200, cacheControl: "no-store" },
  errors: [],
  tool: {
    name: "get_service_status",
    description: "Whether prices can be trusted right now, and whether the market is open; detail=summary tells what is wrong.",
    healthy: { scrapers: { field: "status", is: "ok" }, value_staleness: { field: "is_stale", is: false } },
  },
  examples: {
    ok: { summary: "Everything that must hold holds", value: healthy },
    degraded: {
      summary: "A required feed is late",
      value: {
        ...healthy,
        status: "degraded",
        scrapers: {
          swissquote: {
            ...exampleFeed,
            status: "failing",
            last_success_at: "2026-11-20T14:02:05Z",
            age_seconds: 82.4,
            consecutive_failures: 6,
            last_error: "http_503",
          },
        },
        reasons: ["Feed swissquote has not succeeded within twice its interval of 5 s."],
      },
    },
  },
});
