/** The spot price of one symbol. */
import { z } from "zod";
import { hints, MOMENT_NAMES, SPOT_HINTS } from "../hints.ts";
import { priceParts } from "../price-parts.ts";
import { route } from "../route.ts";
import { INTRADAY_DEPTH_DAYS } from "../tiers.ts";
import {
  CONTRACT_TYPES,
  CURRENCIES,
  calendarDay,
  decimal,
  EXAMPLE_MOMENT,
  INTERVALS,
  KARATS,
  known,
  METALS,
  PRICE_UNITS,
  SPOT_GROUPS,
  SPOT_NAMES,
  staleReason,
  timestamp,
  wordsParameter,
} from "../values.ts";
import { METAL_NAME_CHOICE, METAL_TIERS, PRICE_UNIT_RULE, QUOTING_SENTENCE } from "../wording.ts";

/** What a source is to a price: it sets it, stands in when no such source is fresh, or is only listed beside it. */
export const sourceRole = z.enum(["primary", "council", "reference"]).meta({
  description: "primary: sets the price; council: sets it while no primary is fresh; reference: never does",
});

/** What became of a source when a price was made. */
export const SOURCE_VERDICTS = ["believed", "refused", "silent", "standby"] as const;
export type SourceVerdict = (typeof SOURCE_VERDICTS)[number];

export const source = z
  .object({
    source: z.string().meta({ description: "The feed's key", examples: ["swissquote"] }),
    display_name: z.string().optional().meta({ description: "The publisher's name" }),
    price: decimal("Its own price of one unit, in the row's quote currency").optional(),
    unit: z.string().optional().meta({ description: "troy_ounce or pound" }),
    license: z.string().optional().meta({ description: "The class of its terms of use" }),
    is_stale: z.boolean().optional().meta({ description: "Past its freshness window" }),
    informational: z.boolean().optional().meta({ description: "A reference-only feed that never sets the price" }),
    role: sourceRole.optional(),
    verdict: z.enum(SOURCE_VERDICTS).optional().meta({
      description:
        "When the price was computed: believed: the price is the median of these; refused: by rule; silent: no fresh reading; standby: agrees, but does not set the price",
    }),
    rule: z
      .string()
      .optional()
      .meta({ description: "The rule that refused it; only with refused", examples: ["jump"] }),
  })
  .meta({ id: "Source", description: "Where a price comes from" });

export type Source = z.output<typeof source>;

const gram = (karat: number, example: string) =>
  decimal(`Group karat: price per gram of ${karat} karat, in the quote currency`, example).optional();

/** The eight per-gram field names, purest first. */
export const GRAM_FIELDS = KARATS.map((karat) => `price_gram_${karat}k` as const);

/** One priced symbol. */
export const spotRow = z
  .object({
    symbol: z.enum(METALS).meta({ description: "Metal code" }),
    quote_currency: z
      .string()
      .length(3)
      .meta({ description: "ISO 4217 code", examples: ["USD"], ...known(CURRENCIES) }),
    unit: z.enum(PRICE_UNITS).meta({ description: `Unit of the price: ${PRICE_UNIT_RULE}` }),
    contract_type: z.enum(CONTRACT_TYPES).meta({ description: "spot or futures" }),
    is_stale: z.boolean().meta({ description: "True when the price is outside its freshness window" }),
    stale_reason: staleReason("Why it is stale; only when it is"),
    price: decimal("Price of one unit in the quote currency; absent when unavailable").optional(),
    bid: decimal("Bid of one unit in the quote currency; absent when unavailable", "4002.90").optional(),
    ask: decimal("Ask of one unit in the quote currency; absent when unavailable", "4003.50").optional(),
    computed_at: timestamp(
      "When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable",
    ).optional(),
    sources: z.array(source).optional().meta({ description: "Group sources: provenance, filtered by tier" }),
    ...priceParts("Group sources, receipts"),
    price_gram_24k: gram(24, "128.7059"),
    price_gram_22k: gram(22, "117.9804"),
    price_gram_21k: gram(21, "112.6176"),
    price_gram_20k: gram(20, "107.2549"),
    price_gram_18k: gram(18, "96.5294"),
    price_gram_16k: gram(16, "85.8039"),
    price_gram_14k: gram(14, "75.0784"),
    price_gram_10k: gram(10, "53.6274"),
    divergence_flag: z.boolean().optional().meta({ description: "Group stats: whether the sources differ by 50 bps or more" }),
    divergence_bps: z
      .number()
      .optional()
      .meta({ description: "Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal" }),
    value_stale: z.boolean().optional().meta({ description: "Group stats: only when the primary source is the council rate" }),
    open_price: decimal("Group stats: the UTC day's open, in the quote currency", "3991.80").optional(),
    high_price: decimal("Group stats: the UTC day's high, in the quote currency", "4011.65").optional(),
    low_price: decimal("Group stats: the UTC day's low, in the quote currency", "3986.40").optional(),
    prev_close_price: decimal(
      "Group stats: the close of the UTC day before that of the price, in the quote currency",
      "3990.90",
    ).optional(),
    ch: decimal("Group stats: price minus previous close, in the quote currency", "12.30").optional(),
    chp: decimal("Group stats: that change in percent", "0.31").optional(),
    open_time: z.number().optional().meta({ description: "Group stats: epoch seconds at UTC midnight" }),
  })
  .meta({ id: "SpotRow", description: "One priced symbol" });

export type SpotRow = z.output<typeof spotRow>;

/** What a past price was read from: a published price, a bar's close by its interval, or a settlement. */
export const PAST_BASES = ["tick", ...INTERVALS, "settlement"] as const;
export type PastBasis = (typeof PAST_BASES)[number];

/** One priced symbol, now or at a past instant. */
export const spotAnswer = spotRow
  .extend({
    as_of: timestamp("With `at`: the instant the price stood at").optional(),
    basis: z.enum(PAST_BASES).optional().meta({
      description: "With `at`: what the price is: a published price, the close of a bar of this interval, or a settlement",
    }),
    ...priceParts("With `at`, group sources, receipts"),
    fx_date: calendarDay("With `at`, outside USD: the UTC day of the rate").optional(),
  })
  .meta({ id: "SpotAnswer", description: "One priced symbol, now or at a past instant" });

export type SpotAnswer = z.output<typeof spotAnswer>;

/** Optional groups of fields a caller can request. */
export const include = wordsParameter(
  SPOT_GROUPS,
  "Groups to add, comma-separated: sources, karat, stats, all. Unknown ones are ignored; anonymous callers do not get stats.",
  "sources,karat",
).optional();

export const exampleRow: SpotRow = {
  symbol: "XAU",
  quote_currency: "USD",
  unit: "troy_ounce",
  contract_type: "spot",
  is_stale: false,
  price: "4003.20",
  bid: "4003.05",
  ask: "4003.35",
  computed_at: EXAMPLE_MOMENT,
};

export const exampleSources: Source[] = [
  {
    source: "swissquote",
    display_name: "Swissquote Bank SA",
    price: "4003.85",
    unit: "troy_ounce",
    license: "undocumented",
    is_stale: false,
    informational: false,
    role: "primary",
    verdict: "believed",
  },
  {
    source: "gold-api",
    display_name: "gold-api.com",
    price: "4002.55",
    unit: "troy_ounce",
    license: "undocumented",
    is_stale: false,
    informational: false,
    role: "primary",
    verdict: "believed",
  },
];

/** Its prices per gram, in examples. */
export const exampleKarat = {
  price_gram_24k: "128.7059",
  price_gram_22k: "117.9804",
  price_gram_21k: "112.6176",
  price_gram_20k: "107.2549",
  price_gram_18k: "96.5294",
  price_gram_16k: "85.8039",
  price_gram_14k: "75.0784",
  price_gram_10k: "53.6274",
};

const stats = {
  divergence_flag: false,
  divergence_bps: 3.2,
  open_price: "3994.70",
  high_price: "4011.25",
  low_price: "3990.05",
  open_time: 1_795_132_800,
  prev_close_price: "3994.65",
  ch: "8.55",
  chp: "0.21",
};

/** GET /v1/spot/{symbol} */
export const getSpot = route({
  method: "GET",
  path: "/v1/spot/{symbol}",
  tag: "Spot prices",
  summary: "One spot price",
  description: `One row without an envelope. Prices on Free are 15 minutes late. ${METAL_TIERS} With \`at\` the price that stood then: the newest published price, else the close of the newest bar that had ended, of a minute on Pro and up within ${INTRADAY_DEPTH_DAYS} days, else of a day; \`basis\` says which. Other currencies use the rate that was published with a price, else the daily reference that had been published by then, of a bare date that of its date, seven days old at most; \`fx_role\` says which. \`at\` reaches as far back as daily bars do.`,
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "Symbol or alias", examples: ["XAU-USD-SPOT"], ...known(SPOT_NAMES) }),
    include,
    at: z
      .string()
      .min(1)
      .max(32)
      .meta({
        description:
          "A past instant, ISO-8601: the price that stood then. A bare date is the close of that UTC day. Of the groups, karat alone",
        examples: ["2026-11-19T12:00:00Z"],
        format: "date-time",
      })
      .optional(),
  }),
  hints: {
    ...SPOT_HINTS,
    ...hints(
      MOMENT_NAMES.filter((name) => name !== "at"),
      "a past instant is at",
    ),
    ...hints(["karat", "carat", "purity"], "gold per gram by karat is include=karat"),
  },
  output: spotAnswer,
  errors: [
    "invalid_symbol",
    "plan_gated",
    "not_found",
    "spot_unavailable",
    "range_too_deep",
    "validation_error",
    "service_unavailable",
  ],
  formats: { text: "price", jws: "" },
  tool: {
    name: "get_spot_price",
    description: `The price of ${METAL_NAME_CHOICE}, now or at a past instant (at). ${QUOTING_SENTENCE}`,
  },
  examples: {
    lean: { summary: "The core fields", value: exampleRow },
    all: { summary: "With include=all and a key", value: { ...exampleRow, sources: exampleSources, ...exampleKarat, ...stats } },
    stale: {
      summary: "On a Saturday: the last price, marked stale",
      value: { ...exampleRow, is_stale: true, stale_reason: "market_closed", computed_at: "2026-11-20T21:59:59Z" },
    },
    past: {
      summary: "With at=2026-11-19, in euros: the close of that day",
      value: {
        symbol: "XAU",
        quote_currency: "EUR",
        unit: "troy_ounce",
        contract_type: "spot",
        is_stale: false,
        price: "3452.59",
        computed_at: "2026-11-20T00:00:00Z",
        as_of: "2026-11-20T00:00:00Z",
        basis: "1d",
        price_usd: "3994.65",
        fx_rate: "0.864304235090751945",
        fx_source: "ecb",
        fx_role: "reference",
        fx_at: "2026-11-19T15:00:00Z",
        fx_date: "2026-11-19",
      },
    },
  },
});
