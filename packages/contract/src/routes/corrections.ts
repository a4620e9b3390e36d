/** Corrections of published history, and the head of their chain. */
import { z } from "zod";
import { hints, PAGE_NAMES } from "../hints.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import {
  BAR_SYMBOLS,
  calendarDay,
  clockReading,
  decimal,
  INTERVALS,
  known,
  pageLimit,
  timestamp,
  wholeNumber,
} from "../values.ts";

/** Why a bar or a settlement became what it is. */
export const CORRECTION_REASONS = ["import", "withdrawn", "late_source", "publisher", "operator"] as const;

const figure = (description: string, example: string) => decimal(description, example).nullable();

const figures = z
  .object({
    open: figure("First price; null for a settlement", "3981.15"),
    high: figure("Highest price; null for a settlement", "3999.80"),
    low: figure("Lowest price; null for a settlement", "3975.40"),
    close: figure("Last price, or the settlement", "3994.65"),
    volume: figure("Contracts or shares traded; null for spot", "8123400"),
  })
  .meta({
    id: "CorrectionFigures",
    description: "The figures of a closed bar or of a settlement, as their routes show them; of a reference rate the close alone",
  });

const digest = (description: string, example: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description, examples: [example] });

const PREVIOUS = "3b7f0c5a9d1e4f26a8b3c70d5e9f1a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e1f";
const DIGEST = "5fc2f4f4a7d2a3f3f6d8a5e3f1d0c2b4a6978879605142332415060708090a0b";

const symbol = z.string().meta({
  description: "The series or product, or the reference rate of a currency for one of another: EUR-USD-REFERENCE",
  examples: ["XAU-USD-SPOT"],
  ...known(BAR_SYMBOLS),
});

export const correction = z
  .object({
    number: wholeNumber("Its place in the chain; numbers rise", 12),
    epoch: wholeNumber("The epoch of the chain; restoring a backup begins another", 1),
    revision: wholeNumber("The revision of the store that made it", 90_412),
    recorded_at: clockReading("When it was recorded; known_at from then on has it"),
    symbol,
    interval: z.enum(INTERVALS).nullable().meta({ description: "The bar's interval; null for others" }),
    bar_start: timestamp("When the bar begins; null for others", "2026-11-19T00:00:00Z").nullable(),
    settlement_date: calendarDay("The settlement's day; null for others").nullable(),
    futures_contract: z
      .string()
      .nullable()
      .meta({ description: "The settlement's contract; null for others", examples: ["GCZ26"] }),
    reason: z.string().meta({ description: "Why it was made", examples: ["import"], ...known(CORRECTION_REASONS) }),
    reference_date: calendarDay("The day of a reference rate; absent for others").optional(),
    source: z
      .string()
      .optional()
      .meta({
        description: "Who restated a rate, or whom imported bars are from, as source_id has it",
        examples: ["import:lbma"],
      }),
    note: z
      .string()
      .optional()
      .meta({ description: "What the operator said of an import", examples: ["LBMA's file of November, corrected"] }),
    before: figures,
    after: figures.nullable().meta({ description: "Null when it was removed" }),
    previous: digest("The digest of the correction before; null for the first", PREVIOUS).nullable(),
    digest: digest("SHA-256 of the others of these fields, as canonical JSON (RFC 8785)", DIGEST),
  })
  .meta({ id: "Correction", description: "A closed bar, a settlement or a reference rate that is no longer what it was" });

const example: z.output<typeof correction> = {
  number: 12,
  epoch: 1,
  revision: 90_412,
  recorded_at: "2026-11-20T09:12:44.518Z",
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  bar_start: "2026-11-19T00:00:00Z",
  settlement_date: null,
  futures_contract: null,
  reason: "import",
  source: "import:lbma",
  note: "LBMA's file of November, corrected",
  before: { open: "3981.15", high: "3999.80", low: "3975.40", close: "3994.65", volume: null },
  after: { open: "3981.15", high: "3999.80", low: "3975.40", close: "3994.70", volume: null },
  previous: PREVIOUS,
  digest: DIGEST,
};

/** What `since` may be; it is read as text. */
const SINCE = [
  { type: "integer", minimum: 0 },
  { type: "string", format: "date-time" },
  { type: "string", format: "date" },
];

/** GET /v1/corrections */
export const listCorrections = route({
  method: "GET",
  path: "/v1/corrections",
  tag: "Corrections",
  summary: "What published history is no longer what it was, oldest first",
  description:
    "One row for every closed bar, settlement or reference rate that was replaced or removed since the ledger began; the first appearance of one is no correction. Pass `next_since` as `since` to go on, also later. Rows are those of the bars and settlements that your tier includes, and the reference rates, with its delay and its depth of daily bars. Each row names the digest of the one before it in the whole chain.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "Only this series, product or reference rate", examples: ["XAU/USD"], ...known(BAR_SYMBOLS) })
      .optional(),
    since: z.coerce
      .string<number | string>()
      .max(32)
      .default("0")
      .meta({
        description:
          "Only corrections with a greater number: next_since of the page before. Or those recorded from an instant on, ISO-8601; a bare date is its UTC midnight",
        "x-alternatives": SINCE,
        override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
          for (const textual of ["type", "maxLength", "x-alternatives"]) delete jsonSchema[textual];
          Object.assign(jsonSchema, { anyOf: SINCE, default: 0 });
        },
      }),
    limit: pageLimit,
  }),
  hints: hints(["cursor", "after", "from", ...PAGE_NAMES], "the next page is since, the next_since of the page before"),
  output: z
    .object({
      epoch: wholeNumber("The current epoch of the chain", 1),
      corrections: z.array(correction).meta({ description: "Oldest first" }),
      next_since: wholeNumber("The since of the next page, which may still be empty", 12),
      meta: z
        .object({
          tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
          count: z.int().min(0).meta({ description: "Corrections in this response" }),
        })
        .meta({ id: "CorrectionsMeta", description: "Metadata of the response" }),
    })
    .meta({ id: "CorrectionsPage", description: "Corrections, oldest first" }),
  errors: ["plan_gated", "validation_error", "service_unavailable"],
  formats: { csv: "corrections" },
  examples: {
    page: {
      summary: "A day that an import corrected",
      value: { epoch: 1, corrections: [example], next_since: 12, meta: { tier: "free", count: 1 } },
    },
    none: {
      summary: "Nothing was corrected since",
      value: { epoch: 1, corrections: [], next_since: 12, meta: { tier: "free", count: 0 } },
    },
  },
});

/** GET /v1/corrections/head */
export const headCorrections = route({
  method: "GET",
  path: "/v1/corrections/head",
  tag: "Corrections",
  summary: "The newest correction's number and digest",
  description:
    "The head of the chain of corrections. As a receipt (`format=jws`) it is signed: whoever keeps it can show later that no correction before it was changed or left out. Delayed callers get the head as of 15 minutes ago.",
  access: { auth: "optional" },
  input: z.object({}),
  output: z
    .object({
      epoch: wholeNumber("The current epoch of the chain", 1),
      number: wholeNumber("The number of the newest correction; 0 when there is none", 12),
      digest: digest("Its digest; null when there is none", DIGEST).nullable(),
      recorded_at: clockReading("When it was recorded; null when there is none").nullable(),
    })
    .meta({ id: "ChainHead", description: "The head of the chain of corrections" }),
  errors: ["service_unavailable"],
  formats: { jws: "" },
  examples: {
    head: {
      summary: "The chain has corrections",
      value: { epoch: 1, number: 12, digest: DIGEST, recorded_at: "2026-11-20T09:12:44.518Z" },
    },
    none: { summary: "Nothing was corrected yet", value: { epoch: 1, number: 0, digest: null, recorded_at: null } },
  },
});
