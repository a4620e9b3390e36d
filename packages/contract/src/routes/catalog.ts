/** The catalogue: every metal, fund, currency and unit of this service, and the names made of them. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { BAR_SYMBOLS, CONTRACT_TYPES, decimal, SPOT_SYMBOLS } from "../values.ts";

const plausibility = {
  agreement_bps: z.int().meta({ description: "How far apart two sources of one moment may be, in bps", examples: [500] }),
  max_spread_percent: z.int().meta({ description: "A reading with a wider spread is refused, in percent", examples: [2] }),
  bounds: z
    .object({ low: decimal("Lowest", "200"), high: decimal("Highest", "50000") })
    .meta({ id: "CatalogBounds", description: "Plausible prices in USD, inclusive; readings outside are refused" }),
};

const code = (description: string, example: string) => z.string().meta({ description, examples: [example] });

const metalEntry = z
  .object({
    code: code("Trading code", "XAU"),
    name: code("English name, which is also an alias", "gold"),
    aliases: z.array(z.string()).meta({ description: "Other names on the price routes" }),
    unit: code("The unit of its price", "troy_ounce"),
    coverage: z.enum(["spot", "daily"]).meta({ description: "spot: priced, with bars. daily: daily closes for ratios only" }),
    default_contract: z.enum(CONTRACT_TYPES).meta({ description: "What its name alone means on the price routes" }),
    quoted_in: z.enum(["USD", "all"]).meta({ description: "USD, or every quoted currency" }),
    tier: z.enum(TIER_NAMES).meta({ description: "The lowest tier that sees it, unless the operator's tiers differ" }),
    convertible: z.boolean().meta({ description: "Whether /v1/convert has it" }),
    karats: z.boolean().meta({ description: "Whether it has prices by karat" }),
    finenesses: z
      .array(z.int())
      .meta({ description: "Purities it is traded in, in parts of 1000, purest first", examples: [[999]] }),
    streams: z.array(z.enum(["sse", "websocket"])).meta({ description: "Streams that carry it" }),
    has_surface: z.boolean().meta({ description: "Whether it has probability surfaces and signals" }),
    ...plausibility,
    futures: z
      .object({
        product: code("The product, which is also the symbol of its bars", "GC"),
        main_months: z.array(z.int()).meta({ description: "Delivery months with high volume, 1 to 12", examples: [[2, 4, 6]] }),
      })
      .meta({ id: "CatalogFutures", description: "A metal's futures" })
      .nullable()
      .meta({ description: "Its futures; null for none" }),
  })
  .meta({ id: "CatalogMetal", description: "A metal" });

const fundEntry = z
  .object({
    code: code("The fund", "GLD"),
    name: code("Its name", "SPDR Gold Shares"),
    metal: code("What it holds", "XAU"),
    ...plausibility,
  })
  .meta({ id: "CatalogFund", description: "A fund that holds a metal" });

const currencyEntry = z
  .object({
    code: code("ISO 4217 code", "KWD"),
    name: code("English name", "Kuwaiti dinar"),
    minor_units: z.int().meta({ description: "Decimals of an amount, ISO 4217 minor units", examples: [3] }),
    quoted: z.boolean().meta({ description: "Whether prices can be quoted in it; others are only in dealers' prices" }),
    peg: z
      .object({
        to: code("The anchor", "USD"),
        units: decimal("Units per unit of the anchor", "3.6725"),
        fixed: z.boolean().meta({ description: "Fixed, or kept near it" }),
      })
      .meta({ id: "CatalogPeg", description: "A currency's peg" })
      .nullable()
      .meta({ description: "Its peg; null when it floats" }),
    reference: z
      .string()
      .nullable()
      .meta({ description: "Publisher of its daily reference rate; null for none", examples: ["ecb"] }),
  })
  .meta({ id: "CatalogCurrency", description: "A currency" });

const unitEntry = z
  .object({
    code: code("The unit", "tola"),
    name: code("English name", "tola"),
    grams: decimal("Grams in one, exactly", "11.6638038"),
    accepted: z.array(z.string()).meta({ description: "Where it is accepted: price, convert, dealers" }),
  })
  .meta({ id: "CatalogUnit", description: "A unit of weight" });

const ratioEntry = z
  .object({
    pair: code("The pair", "gold-silver"),
    numerator: code("Its numerator", "XAU-USD-SPOT"),
    denominator: code("Its denominator", "XAG-USD-SPOT"),
  })
  .meta({ id: "CatalogRatio", description: "A ratio" });

/** The catalogue of this process as the route returns it. */
export const publishedCatalog = () => {
  const { metals, funds, currencies, units } = catalogue.rows;
  const plausible = ({ agreement_bps, max_spread_percent, bounds }: (typeof metals)[number] | (typeof funds)[number]) => ({
    agreement_bps,
    max_spread_percent,
    bounds,
  });
  return {
    metals: metals.map(({ aliases = [], finenesses = [], surface, futures, simulated: _, periods: __, ...metal }) => ({
      ...metal,
      aliases,
      finenesses,
      has_surface: surface !== null,
      futures: futures && { product: futures.product, main_months: futures.main_months },
    })),
    funds: funds.map((fund) => ({ code: fund.code, name: fund.name, metal: fund.metal, ...plausible(fund) })),
    currencies: currencies.map(({ approximate_per_usd: _, simulated: __, ...currency }) => currency),
    units: [...units],
    ratios: [...catalogue.ratios],
    symbols: [...SPOT_SYMBOLS],
    bar_symbols: [...BAR_SYMBOLS],
  };
};

const shown = publishedCatalog();

/** GET /v1/metadata/catalog */
export const getCatalog = route({
  method: "GET",
  path: "/v1/metadata/catalog",
  tag: "System",
  summary: "Metals, currencies and units",
  description:
    "Everything this service knows of metals, funds, currencies and units of weight, and the symbols and ratios made of them. An operator can add to it.",
  access: { auth: "none", limit: "light", metered: false },
  input: z.object({}),
  output: z
    .object({
      metals: z.array(metalEntry).meta({ description: "Metals" }),
      funds: z.array(fundEntry).meta({ description: "Funds" }),
      currencies: z.array(currencyEntry).meta({ description: "Currencies" }),
      units: z.array(unitEntry).meta({ description: "Units of weight" }),
      ratios: z.array(ratioEntry).meta({ description: "Pairs of the ratio routes" }),
      symbols: z.array(z.string()).meta({ description: "Symbols of the price routes" }),
      bar_symbols: z.array(z.string()).meta({ description: "Series of the bar routes" }),
    })
    .meta({ id: "Catalog", description: "Metals, funds, currencies and units, and the names made of them" }),
  success: { status: 200, cacheControl: "public, max-age=3600" },
  errors: [],
  examples: {
    shortened: {
      summary: "The first entries of each list",
      value: {
        metals: shown.metals.slice(0, 1),
        funds: shown.funds.slice(0, 1),
        currencies: shown.currencies.slice(0, 2),
        units: shown.units.slice(0, 2),
        ratios: shown.ratios.slice(0, 1),
        symbols: shown.symbols.slice(0, 2),
        bar_symbols: shown.bar_symbols.slice(0, 2),
      },
    },
  },
});
