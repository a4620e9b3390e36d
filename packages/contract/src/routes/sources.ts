/** What each source delivered: received, accepted, refused, and how far from the price it was. */
import { z } from "zod";
import { hints } from "../hints.ts";
import { route } from "../route.ts";
import { BAR_SYMBOLS, known, timestamp, wholeNumber } from "../values.ts";
import { sourceRole } from "./spot.ts";

export const RECORD_WINDOWS = ["24h", "30d", "1y"] as const;

const window = z.enum(RECORD_WINDOWS);

const bps = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .nullable()
    .meta({ description, examples: [example] });

const incident = z
  .object({
    from: timestamp("When its last accepted reading was no longer fresh", "2026-11-20T09:12:40Z"),
    to: timestamp("When it ended; null while it lasts", "2026-11-20T09:15:02Z").nullable(),
    kind: z.string().meta({
      description: "silent: no reading; refused: only refused ones",
      examples: ["silent"],
      ...known(["silent", "refused"]),
    }),
  })
  .meta({ id: "SourceIncident", description: "Open hours without an accepted reading, for longer than one stays fresh" });

const record = z
  .object({
    source: z.string().meta({ description: "The feed's key", examples: ["swissquote"] }),
    display_name: z.string().meta({ description: "Name to show", examples: ["Swissquote"] }),
    origin: z
      .string()
      .meta({ description: "Who made the figures; sources of one origin are one witness", examples: ["swissquote"] }),
    license: z.string().meta({ description: "The class of its terms", examples: ["undocumented"] }),
    instrument: z.string().meta({ description: "What it is a price of, in USD", examples: ["XAU-USD-SPOT"] }),
    cadence_seconds: z.number().meta({ description: "Seconds between readings in normal operation", examples: [10] }),
    expected: wholeNumber("Cadence slots within open hours, while this service ran", 8_280),
    received: wholeNumber("Readings that arrived", 8_190),
    accepted: wholeNumber("Readings that passed every rule and agreed with the other witnesses", 8_184),
    refused: z
      .record(z.string(), z.int().min(1))
      .meta({ description: "Refused readings by rule", examples: [{ jump: 4, frozen: 2 }] }),
    availability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description:
          "Share of expected slots at whose end an accepted reading was less than two cadences old, cut to four decimals; null when none was expected",
        examples: [0.9987],
      }),
    deviation_bps: z
      .object({
        median: bps("Half of the readings were no farther", 1.2),
        p99: bps("99 of 100 readings were no farther", 6.4),
      })
      .meta({
        id: "SourceDeviation",
        description:
          "How far accepted readings were from the price believed without this source's origin, in bps, rounded up to 0.1 and to two digits; null where no other source had a price",
      }),
    last_accepted_at: timestamp("When a reading was last accepted", "2026-11-20T13:44:58Z").nullable(),
    incidents: z.array(incident).meta({ description: "The newest 50, newest first" }),
    role: sourceRole.optional(),
    fresh_for_seconds: z
      .number()
      .optional()
      .meta({ description: "How long a reading stays fresh: older, and the source is silent", examples: [60] }),
  })
  .meta({ id: "SourceRecord", description: "What one source delivered of one instrument" });

export type SourceRecordRow = z.output<typeof record>;

const steady: SourceRecordRow = {
  source: "swissquote",
  display_name: "Swissquote",
  origin: "swissquote",
  license: "undocumented",
  instrument: "XAU-USD-SPOT",
  cadence_seconds: 10,
  expected: 8_280,
  received: 8_190,
  accepted: 8_184,
  refused: { jump: 4, frozen: 2 },
  availability: 0.9987,
  deviation_bps: { median: 1.2, p99: 6.4 },
  last_accepted_at: "2026-11-20T13:44:58Z",
  incidents: [{ from: "2026-11-20T09:12:40Z", to: "2026-11-20T09:15:02Z", kind: "silent" }],
  role: "primary",
  fresh_for_seconds: 60,
};

const unseen: SourceRecordRow = {
  ...steady,
  expected: 0,
  received: 0,
  accepted: 0,
  refused: {},
  availability: null,
  deviation_bps: { median: null, p99: null },
  last_accepted_at: null,
  incidents: [],
};

/** GET /v1/sources */
export const listSources = route({
  method: "GET",
  path: "/v1/sources",
  tag: "Sources",
  summary: "What each source delivered, and how far from the price",
  description:
    "One row per source and instrument, by source: what was expected, received, accepted and refused, in the last 24 hours, 30 days or year. Closed hours and hours in which this service did not run are not expected. Readings are judged once, when they arrive. Everything is at least 15 minutes old, and nothing of it is a price. The same for every caller.",
  access: { auth: "none", limit: "light", metered: false },
  input: z.object({
    window: window.default("24h").meta({ description: "How far back; of 30d and 1y the days are UTC days, with today" }),
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: "Only this instrument, by its own name or that of its bars",
        examples: ["XAU/USD"],
        ...known(BAR_SYMBOLS),
      })
      .optional(),
    source: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "Only this source, by its key", examples: ["swissquote"] })
      .optional(),
  }),
  hints: {
    ...hints(["from", "to", "start", "end", "since"], "windows end now: window is 24h, 30d or 1y"),
    ...hints(["interval", "period", "days", "range"], "the parameter is window"),
    ...hints(["instrument", "metal"], "the parameter is symbol"),
    ...hints(["feed", "provider", "publisher"], "the parameter is source"),
  },
  output: z
    .object({
      window: window.meta({ description: "The window" }),
      from: timestamp("Its beginning", "2026-11-19T13:45:00Z"),
      to: timestamp("Its end, exclusive; at least 15 minutes ago", "2026-11-20T13:45:00Z"),
      sources: z.array(record).meta({ description: "By source, then by instrument" }),
    })
    .meta({ id: "SourceRecords", description: "The record of the sources" }),
  errors: ["validation_error", "service_unavailable"],
  tool: {
    name: "get_source_record",
    description:
      "How reliable the price sources are: availability, refused readings, deviation in basis points and outages, over 24 hours, 30 days or a year; detail=summary tells of outages.",
    healthy: { sources: { field: "incidents", is: [] } },
  },
  formats: { csv: "sources" },
  examples: {
    day: {
      summary: "A source with a short outage",
      value: { window: "24h", from: "2026-11-19T13:45:00Z", to: "2026-11-20T13:45:00Z", sources: [steady] },
    },
    begun: {
      summary: "Nothing was counted yet",
      value: { window: "24h", from: "2026-11-19T13:45:00Z", to: "2026-11-20T13:45:00Z", sources: [unseen] },
    },
  },
});
