/** The rows of the catalogue: their fields, in the form of the built-in table, an operator's file and the wire. */
import { z } from "zod";

/** Tiers a metal can be opened from: the lowest one that may see it. */
const TIERS = ["free", "basic", "physical", "pro", "realtime_pro"] as const;

const metalCode = z.string().regex(/^[A-Z][A-Z0-9]{1,7}$/, "must be 2 to 8 capitals and digits, such as XRH");
const currencyCode = z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code, such as KWD");
const word = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "must be lower-case letters, digits and underscores, such as rhodium");
const displayName = z.string().min(1).max(64);
const positive = z
  .string()
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/, 'must be a decimal in quotes, such as "3.75"')
  .refine((text) => /[1-9]/.test(text), "must be above zero");

/** Lowest and highest plausible price in USD, inclusive. */
const bounds = z
  .strictObject({ low: positive, high: positive })
  .refine(({ low, high }) => Number(low) < Number(high), "low must be below high");

/** From the start of a year: lowest and highest plausible price of a day. */
const period = z.tuple([z.int().min(1700).max(2200), positive, positive]);

/** What is needed to recognise a wrong figure. */
const plausibility = {
  /** How far apart two sources of one moment may be, in basis points. */
  agreement_bps: z.int().min(1).max(3_500),
  /** Maximum spread of a reading, in percent of its midpoint. */
  max_spread_percent: z.int().min(1).max(50),
  /** Plausible prices of a reading. */
  bounds,
  /** Plausible prices of imported days by period, oldest first; the bounds for all years when left out. */
  periods: z.array(period).min(1).optional(),
};

/** Units traded per day in 1996, and how many more each year. */
const volume = z.strictObject({ first: z.int().min(0), per_year: z.int().min(0) });

const decimals = z.int().min(0).max(6);

const futures = z.strictObject({
  /** The exchange's product code, which is also the symbol of its bars. */
  product: metalCode,
  /** Delivery months with high volume, 1 to 12. */
  main_months: z.array(z.int().min(1).max(12)).min(1),
  simulated: z
    .strictObject({
      /** Annual carry, as a share of the price. */
      carry: z.number().min(-0.5).max(0.5),
      decimals,
      half_spread_bps: z.number().positive(),
      volume,
      settlement: z.strictObject({ decimals, tick_units: z.int().min(1), volume: z.int().min(0) }),
    })
    .optional(),
});

const surface = z.strictObject({
  simulated: z
    .strictObject({
      /** Annual volatility at the money, jump-wings skew, and low-strike wing. */
      volatility: z.number().positive().max(2),
      psi: z.number(),
      p: z.number().positive(),
      /** Decimals of option prices, and units of the last one per tick. */
      option_decimals: decimals,
      option_tick: z.int().min(1),
    })
    .optional(),
});

/** The simulated market's idea of a metal. */
const simulatedMetal = z.strictObject({
  /** USD per unit by year, evenly spread over it; later years grow from the last figure. */
  levels: z.record(z.string().regex(/^[12][0-9]{3}$/, "must be a year"), z.array(z.number().positive()).min(1)),
  /** Annual volatility, as a share of the price. */
  volatility: z.number().positive().max(2),
  /** The metal it is partly correlated with. */
  follows: z.strictObject({ metal: metalCode, share: z.number().min(0).max(1) }).optional(),
  decimals,
  half_spread_bps: z.number().positive(),
});

export const metalRow = z.strictObject({
  code: metalCode,
  /** English, lower case; also an alias on the price routes. */
  name: word,
  aliases: z.array(word).optional(),
  unit: word,
  /** `spot`: priced, with bars at every interval. `daily`: daily closes for ratios only. */
  coverage: z.enum(["spot", "daily"]),
  /** What its name and code alone mean on the price routes. */
  default_contract: z.enum(["spot", "futures"]),
  /** `USD`, or every quoted currency. */
  quoted_in: z.enum(["USD", "all"]),
  /** The lowest tier that may see it. */
  tier: z.enum(TIERS),
  convertible: z.boolean(),
  /** Purities per-gram prices are given for, in parts of 24. */
  karats: z.boolean(),
  /** Purities it is traded in, in parts of 1000, purest first; 100 or less would be a percentage or a karat. */
  finenesses: z.array(z.int().min(101).max(1_000)).optional(),
  streams: z.array(z.enum(["sse", "websocket"])),
  /** Probability surfaces and signals, computed from its options and prediction markets; null for none. */
  surface: surface.nullable(),
  ...plausibility,
  futures: futures.nullable(),
  simulated: simulatedMetal.optional(),
});
export type MetalRow = z.output<typeof metalRow>;

export const fundRow = z.strictObject({
  code: metalCode,
  name: displayName,
  metal: metalCode,
  ...plausibility,
  simulated: z
    .strictObject({
      first_day: z.iso.date(),
      /** Units of the metal per share on the first day, and the share of it that fees take each year. */
      ounces_per_share: z.number().positive(),
      yearly_fee: z.number().min(0).max(0.1),
      decimals,
      half_spread_bps: z.number().positive(),
      volume,
    })
    .optional(),
});
export type FundRow = z.output<typeof fundRow>;

/** The currency that a publisher's reference rates are per unit of. */
export const REFERENCE_BASE = { ecb: "EUR" } as const;

export const currencyRow = z.strictObject({
  code: currencyCode,
  name: displayName,
  /** ISO 4217 minor units. */
  minor_units: z.union([z.literal(0), z.literal(2), z.literal(3), z.literal(4)], "must be 0, 2, 3 or 4, not in quotes"),
  /** Whether it can be a quote currency; others are only known to dealers' prices. */
  quoted: z.boolean(),
  /** Fixed: units of it per unit of another, whatever a feed says. Otherwise a band, which only checks what feeds say. */
  peg: z.strictObject({ to: currencyCode, units: positive, fixed: z.boolean() }).nullable(),
  /** Publisher of its daily reference rate. */
  reference: z.enum(["ecb"]).nullable(),
  /** Units per USD late in 2026: enough to detect a wrong unit, and the simulated market's level. */
  approximate_per_usd: z.number().positive(),
  simulated: z
    .strictObject({
      /** Annual volatility against the dollar. */
      volatility: z.number().min(0).max(2),
      follows: currencyCode.optional(),
    })
    .optional(),
});
export type CurrencyRow = z.output<typeof currencyRow>;

export const UNIT_PLACES = ["price", "convert", "dealers"] as const;
export type UnitPlace = (typeof UNIT_PLACES)[number];

export const unitRow = z.strictObject({
  code: word,
  name: displayName,
  /** Exactly. */
  grams: positive,
  accepted: z.array(z.enum(UNIT_PLACES)).min(1),
});
export type UnitRow = z.output<typeof unitRow>;

export interface CatalogueRows {
  readonly metals: readonly MetalRow[];
  readonly funds: readonly FundRow[];
  readonly currencies: readonly CurrencyRow[];
  readonly units: readonly UnitRow[];
  /** Ratio pairs: name, numerator, denominator; metals by code, funds by theirs. */
  readonly ratios: readonly (readonly [string, string, string])[];
}
