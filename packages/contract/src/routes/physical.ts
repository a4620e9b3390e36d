/** Physical dealers: retail gold prices in twelve countries and their premium over spot. */
import { z } from "zod";
import { route } from "../route.ts";
import { PHYSICAL_COUNTRIES, type PhysicalCountry } from "../stream.ts";
import { TIER_NAMES } from "../tiers.ts";
import { DEALER_WEIGHT_UNITS, decimal, EXAMPLE_MOMENT, known, timestamp } from "../values.ts";

export interface PhysicalMarket {
  /** ISO 3166-1 alpha-2. */
  readonly country: PhysicalCountry;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** Countries by code, with names and currencies. */
export const PHYSICAL_MARKETS: readonly PhysicalMarket[] = [
  { country: "AE", name: "United Arab Emirates", currency: "AED" },
  { country: "CN", name: "China", currency: "CNY" },
  { country: "EG", name: "Egypt", currency: "EGP" },
  { country: "HK", name: "Hong Kong", currency: "HKD" },
  { country: "ID", name: "Indonesia", currency: "IDR" },
  { country: "IN", name: "India", currency: "INR" },
  { country: "JP", name: "Japan", currency: "JPY" },
  { country: "MY", name: "Malaysia", currency: "MYR" },
  { country: "NP", name: "Nepal", currency: "NPR" },
  { country: "PK", name: "Pakistan", currency: "PKR" },
  { country: "SA", name: "Saudi Arabia", currency: "SAR" },
  { country: "VN", name: "Vietnam", currency: "VND" },
];

/** What a price is: a dealer's own, a third party's board, or a trade benchmark. */
export const DEALER_KINDS = ["dealer", "board", "benchmark"] as const;

export type DealerKind = (typeof DEALER_KINDS)[number];

export const DEALER_FORMS = ["bar", "coin", "jewellery", "reference"] as const;

export type DealerForm = (typeof DEALER_FORMS)[number];

const country = z.enum(PHYSICAL_COUNTRIES).meta({ description: "ISO 3166-1 alpha-2, upper case", examples: ["AE"] });

const currency = z
  .string()
  .length(3)
  .meta({ description: "ISO 4217 code", examples: ["AED"] });

const tier = z.enum(TIER_NAMES).meta({ description: "The caller's tier" });

const bps = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });

const stale = z.boolean().meta({ description: "Past its freshness window", examples: [false] });

export const dealerQuote = z
  .object({
    id: z.string().meta({ description: "Identifies a product of a source", examples: ["lukfook:gold-tael"] }),
    source: z.string().meta({ description: "Who reported it", examples: ["lukfook"] }),
    dealer: z.string().meta({ description: "The dealer", examples: ["Luk Fook"] }),
    kind: z.enum(DEALER_KINDS).meta({ description: "Who sets the price" }),
    metal: z.literal("XAU").meta({ description: "The metal" }),
    product: z.string().meta({ description: "What is sold, as the dealer names it", examples: ["Gold bar 1 tael"] }),
    form: z.enum(DEALER_FORMS).meta({ description: "The form the metal comes in" }),
    karat: z
      .number()
      .nullable()
      .meta({ description: "Purity in parts of 24; null if only the fineness is stated", examples: [24] }),
    fineness: decimal("Purity as a share of 1: as the dealer states it, else karat / 24 with 24 as 0.999", "0.999"),
    weight: decimal("Weight of the product", "1"),
    weight_unit: z.enum(DEALER_WEIGHT_UNITS).meta({ description: "Unit of the weight" }),
    weight_grams: decimal("Weight of the product in grams", "37.429"),
    sell_price: decimal("What a customer pays for the product; null where the dealer does not say", "38420").nullable(),
    buyback_price: decimal("What a customer is paid for it; null where the dealer does not say", "37900").nullable(),
    price_per_fine_gram: decimal(
      "What a customer pays for a gram of pure metal; null without a sell price",
      "1027.5057",
    ).nullable(),
    premium_over_spot_bps: bps("(sell per fine gram / spot per gram − 1) × 10 000; null when a leg is missing", 182.4),
    buyback_premium_bps: bps("The same of the buyback price, mostly below zero; null when a leg is missing", -104.2),
    spread_bps: bps("Sell less buyback in bps of spot; null when a leg is missing", 286.6),
    tax_included: z.boolean().meta({
      description: "Whether the sell price includes sales tax; false also where none applies or nothing is stated",
      examples: [false],
    }),
    source_url: z.string().meta({ description: "Where it is published", examples: ["https://www.lukfook.com"] }),
    quoted_at: timestamp("When the dealer says so"),
    fetched_at: timestamp("When it was last read"),
    is_stale: stale,
  })
  .meta({ id: "DealerQuote", description: "What a dealer asks and pays for one product" });

/** GET /v1/physical */
export const listPhysical = route({
  method: "GET",
  path: "/v1/physical",
  tag: "Physical",
  summary: "The countries with dealers",
  description: "How many sources and quotes each country has, and how fresh they are.",
  access: { auth: "required", tier: "physical" },
  input: z.object({}),
  output: z
    .object({
      countries: z
        .array(
          z
            .object({
              country,
              name: z.string().meta({ description: "The country", examples: ["United Arab Emirates"] }),
              currency,
              sources: z
                .int()
                .min(0)
                .meta({ description: "Sources that have reported", examples: [2] }),
              quotes: z
                .int()
                .min(0)
                .meta({ description: "Latest quotes", examples: [7] }),
              last_fetched_at: timestamp("The freshest fetch; null when there was none").nullable(),
              is_stale: stale,
            })
            .meta({ id: "PhysicalCountry", description: "A country, and how fresh its dealers are" }),
        )
        .meta({ description: "By country code" }),
      computed_at: timestamp("When this answer was made"),
      meta: z
        .object({ tier, count: z.int().min(0).meta({ description: "Countries in this response" }) })
        .meta({ id: "PhysicalMeta", description: "Metadata of the response" }),
    })
    .meta({ id: "PhysicalIndex", description: "The countries with dealers" }),
  errors: ["plan_gated", "service_unavailable"],
  formats: { csv: "countries" },
  examples: {
    countries: {
      summary: "Two countries; nothing was heard of the second yet",
      value: {
        countries: [
          {
            country: "HK",
            name: "Hong Kong",
            currency: "HKD",
            sources: 1,
            quotes: 1,
            last_fetched_at: "2026-11-20T14:03:02Z",
            is_stale: false,
          },
          { country: "NP", name: "Nepal", currency: "NPR", sources: 0, quotes: 0, last_fetched_at: null, is_stale: true },
        ],
        computed_at: EXAMPLE_MOMENT,
        meta: { tier: "physical", count: 2 },
      },
    },
  },
});

const tael: z.output<typeof dealerQuote> = {
  id: "lukfook:gold-tael",
  source: "lukfook",
  dealer: "Luk Fook",
  kind: "dealer",
  metal: "XAU",
  product: "Gold 999.9 per tael",
  form: "bar",
  karat: 24,
  fineness: "0.9999",
  weight: "1",
  weight_unit: "tael",
  weight_grams: "37.429",
  sell_price: "38150",
  buyback_price: "36960",
  price_per_fine_gram: "1019.3651",
  premium_over_spot_bps: 179.2,
  buyback_premium_bps: -138.3,
  spread_bps: 317.5,
  tax_included: false,
  source_url: "https://www.lukfook.com",
  quoted_at: "2026-11-20T14:00:00Z",
  fetched_at: "2026-11-20T14:03:02Z",
  is_stale: false,
};

/** GET /v1/physical/{country} */
export const getPhysical = route({
  method: "GET",
  path: "/v1/physical/{country}",
  tag: "Physical",
  summary: "A country's dealer quotes, and their premium over spot",
  description: "The latest sell and buyback quotes, each beside spot in the local currency at the same moment.",
  access: { auth: "required", tier: "physical" },
  input: z.object({
    country: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "ISO 3166-1 alpha-2, case-insensitive", examples: ["AE"], ...known(PHYSICAL_COUNTRIES) }),
  }),
  output: z
    .object({
      country,
      name: z.string().meta({ description: "The country", examples: ["United Arab Emirates"] }),
      currency,
      spot_reference: z
        .object({
          symbol: z.string().meta({ description: "The spot symbol", examples: ["XAU-USD-SPOT"] }),
          price_usd: decimal("Spot in USD per troy ounce"),
          fx_rate: decimal("Units of the currency for one USD; null when no rate is known", "3.6725").nullable(),
          fx_source: z
            .string()
            .nullable()
            .meta({ description: "The source of the rate", examples: ["peg"] }),
          price_local_per_gram: decimal("Spot per gram in the currency; null when no rate is known", "472.6689").nullable(),
          computed_at: timestamp("When spot was computed"),
          is_stale: z.boolean().meta({ description: "Whether spot or the rate is stale, as in spot rows", examples: [false] }),
        })
        .meta({ id: "SpotReference", description: "Spot, and the rate to the local currency" })
        .nullable()
        .meta({ description: "Null when there is no spot price" }),
      quotes: z.array(dealerQuote).meta({ description: "The latest quote of each product" }),
      errors: z.array(z.string()).meta({ description: "Failing sources, with the reason" }),
      meta: z
        .object({ tier, count: z.int().min(0).meta({ description: "Quotes in this response" }) })
        .meta({ id: "PhysicalCountryMeta", description: "Metadata of the response" }),
    })
    .meta({ id: "PhysicalQuotes", description: "A country's dealer quotes beside spot" }),
  errors: ["plan_gated", "not_found", "validation_error", "service_unavailable"],
  formats: { csv: "quotes" },
  tool: {
    name: "get_dealer_prices",
    description:
      "What bullion dealers of a country sell bars and coins for and buy them back at, each with its premium over spot in basis points.",
  },
  examples: {
    country: {
      summary: "A bar by the tael, beside spot",
      value: {
        country: "HK",
        name: "Hong Kong",
        currency: "HKD",
        spot_reference: {
          symbol: "XAU-USD-SPOT",
          price_usd: "4003.20",
          fx_rate: "7.7807",
          fx_source: "coinbase-fx",
          price_local_per_gram: "1001.4218",
          computed_at: EXAMPLE_MOMENT,
          is_stale: false,
        },
        quotes: [tael],
        errors: [],
        meta: { tier: "physical", count: 1 },
      },
    },
    without_rate: {
      summary: "No rate for the currency: prices without a premium",
      value: {
        country: "NP",
        name: "Nepal",
        currency: "NPR",
        spot_reference: {
          symbol: "XAU-USD-SPOT",
          price_usd: "4003.20",
          fx_rate: null,
          fx_source: null,
          price_local_per_gram: null,
          computed_at: EXAMPLE_MOMENT,
          is_stale: false,
        },
        quotes: [
          {
            ...tael,
            id: "fenegosida:fine-tola",
            source: "fenegosida",
            dealer: "FENEGOSIDA",
            kind: "benchmark",
            product: "छापावाल सुन, per tola",
            form: "reference",
            fineness: "0.999",
            weight_unit: "tola",
            weight_grams: "11.6638038",
            sell_price: "227500",
            buyback_price: null,
            price_per_fine_gram: "19524.3106",
            premium_over_spot_bps: null,
            buyback_premium_bps: null,
            spread_bps: null,
            source_url: "https://fenegosida.org",
          },
        ],
        errors: [],
        meta: { tier: "physical", count: 1 },
      },
    },
  },
});
