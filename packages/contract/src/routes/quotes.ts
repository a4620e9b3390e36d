/** What pieces of metal cost at a shop's counter. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";
import { currencyHint } from "../currency-codes.ts";
import { hints, MOMENT_NAMES } from "../hints.ts";
import { judged } from "../judged.ts";
import { exampleRate, priceParts } from "../price-parts.ts";
import { fineness } from "../purity.ts";
import { route } from "../route.ts";
import { decimal, EXAMPLE_MOMENT, METALS, metal, staleReason, timestamp, UNITS } from "../values.ts";
import { inWords, METAL_TIERS } from "../wording.ts";

export const MAX_PIECES = 500;

/** Every currency of the catalogue: a shop prices in its own, whether or not metals are quoted in it. */
export const COUNTER_CURRENCIES: readonly string[] = catalogue.rows.currencies.map(({ code }) => code).sort();

/** Whether the shop sells a piece, or buys it. */
export const SIDES = ["sell", "buy"] as const;
/** What a tax is taken of: value, margin and making, making alone, or nothing. */
export const TAXED = ["all", "making", "none"] as const;
export const PIECE_FAULTS = ["validation_error", "plan_gated", "spot_unavailable"] as const;

/** The longest amount: more digits than any weight or price has. */
const MAX_DIGITS = 32;
const MAX_ID = 64;

const AMOUNT = /^[0-9]+(?:\.[0-9]+)?$/;
const ZERO = /^[0.]+$/;

/** What a field says of a value of another type. */
const typed =
  (expected: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? "is required" : `must be ${expected}`;

const amountFault = (text: string): string => {
  if (text.length > MAX_DIGITS) return `must have at most ${MAX_DIGITS} characters`;
  if (/^[0-9]+,[0-9]+$/.test(text)) return "must have a decimal point, as 4.25, not a comma";
  return "must be a plain decimal of 0 or more, such as 4.25: digits and a point, without sign, exponent or separators";
};

/** A decimal amount of 0 or more in a request: text, since a JSON number may have passed through a float. */
const amount = (description: string, example: string) =>
  z
    .string({ error: typed('decimal text, such as "4.25": a JSON number may have lost digits in a float') })
    .refine((text) => text.length <= MAX_DIGITS && AMOUNT.test(text), {
      error: ({ input }) => amountFault(String(input)),
      abort: true,
    })
    .meta({ description, format: "decimal", maxLength: MAX_DIGITS, pattern: AMOUNT.source, examples: [example] });

const positive = (description: string, example: string) =>
  amount(description, example).refine((text) => !ZERO.test(text), { error: "must be above 0" });

const choice = <const T extends readonly string[]>(values: T, description: string) =>
  z.enum(values, { error: typed(`one of ${values.join(", ")}`) }).meta({ description });

const currencyFault = ({ input }: { readonly input?: unknown }): string =>
  (typeof input === "string" ? currencyHint(input) : null) ?? typed(`one of ${COUNTER_CURRENCIES.join(", ")}`)({ input });

const KARAT = "a whole number from 1 to 24";
/** What names a field of an object that it does not have. */
const strict = <S extends z.core.$ZodLooseShape>(what: string, shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `is not a field of ${what}: the fields are ${Object.keys(shape).join(", ")}`
        : `must be an object`,
  });

/** What a shop adds for its work. */
const making = strict("making", {
  per_gram: amount("Amount per gram of the whole piece", "12.50").optional(),
  percent: amount("Percent of the metal's value", "12").optional(),
  fixed: amount("An amount for the piece", "40").optional(),
})
  .refine((given) => Object.keys(given).length === 1, { error: "must be one of per_gram, percent, fixed" })
  .meta({ id: "Making", title: "Making", description: "What a shop adds for its work, in one of three ways" });

export const piece = strict("a piece", {
  id: z
    .string({ error: typed("text") })
    .max(MAX_ID, { error: `must have at most ${MAX_ID} characters` })
    .meta({ description: "Your name for it, answered as it is", examples: ["ring-7"] })
    .optional(),
  metal: choice(METALS, "Metal code"),
  weight: positive("Weight of the whole piece", "4.25"),
  unit: choice(UNITS, "Unit of the weight"),
  karat: z
    .int({ error: typed(KARAT) })
    .min(1, { error: typed(KARAT) })
    .max(24, { error: typed(KARAT) })
    .meta({
      description: "Purity in parts of 24, gold only; pure metal when neither this nor `fineness` is given",
      examples: [18],
    })
    .optional(),
  fineness: fineness.optional(),
  side: choice(SIDES, "Whether you sell it, priced from the ask, or buy it, priced from the bid").default("sell"),
  margin_percent: amount("Percent of the metal's value: added to what you sell, taken off what you buy", "3").optional(),
  making: making.optional(),
  tax_percent: amount("Percent of `tax_on`", "21").optional(),
  tax_on: choice(TAXED, "What is taxed: value, margin and making together, making alone, or nothing").default("all"),
  round_to: positive("Step the total is rounded to; the currency's smallest unit when left out", "0.05").optional(),
})
  .refine(({ karat, fineness: parts }) => karat === undefined || parts === undefined, {
    path: ["fineness"],
    error: "must not be given together with karat",
  })
  .meta({ id: "Piece", title: "Piece", description: "A piece of metal, and how its price is made" });

export type PieceRequest = z.output<typeof piece>;

const money = (description: string, example: string) =>
  decimal(`${description}, rounded half up once to the currency's minor units`, example);

const parts = priceParts("");

const quotedMetal = z
  .object({
    metal,
    side: z.enum(SIDES).meta({ description: "The pieces it prices: those you sell, or those you buy" }),
    basis: z
      .enum(["ask", "bid", "price"])
      .meta({ description: "What it is made from: the ask or the bid, or the price while there is neither" }),
    price_usd: decimal("That figure in USD, with every digit, per `unit_grams`", "4003.35"),
    unit_grams: decimal("Grams of the unit that metal is priced in", "31.1034768"),
    price_per_fine_gram: decimal(
      "A gram of pure metal in the currency: price_usd / unit_grams × fx_rate, up to 18 significant digits",
      "111.24519557088749",
    ),
    fx_rate: decimal("Units of the currency for one USD, up to 18 significant digits", "0.864304235090751945"),
    fx_source: z.string().meta({ description: "Where the rate comes from", examples: ["coinbase-fx"] }),
    fx_role: parts.fx_role,
    fx_at: parts.fx_at,
    computed_at: timestamp("When this price was computed, and the rate stood beside it").optional(),
    is_stale: z.boolean().meta({ description: "True when price or rate is outside its freshness window" }),
    stale_reason: staleReason("Why it is stale; only when it is"),
  })
  .meta({ id: "QuotedMetal", description: "What pieces of a metal were priced with" });

const pieceError = z
  .object({
    code: z.enum(PIECE_FAULTS).meta({ description: "Machine code, one of the error table" }),
    message: z.string().meta({ description: "What is expected" }),
    path: z.string().meta({ description: "Where it is in the request", examples: ["items[3].weight"] }),
  })
  .meta({ id: "PieceError", description: "Why a piece has no price" });

const askedPiece = z
  .object({
    weight: decimal("As given", "4.25"),
    unit: z.enum(UNITS).meta({ description: "Unit of the weight" }),
    karat: z
      .int()
      .optional()
      .meta({ description: "As given; pure metal when neither this nor `fineness` is there", examples: [18] }),
    fineness: decimal("As given", "750").optional(),
    margin_percent: decimal("As given", "3").optional(),
    making: z
      .object({
        per_gram: decimal("Amount per gram of the whole piece", "12.50").optional(),
        percent: decimal("Percent of the metal's value", "12").optional(),
        fixed: decimal("An amount for the piece", "40").optional(),
      })
      .optional()
      .meta({ id: "AskedMaking", description: "As given" }),
    tax_percent: decimal("As given", "21").optional(),
    tax_on: z.enum(TAXED).meta({ description: "What is taxed" }),
    round_to: decimal("As given; the currency's smallest unit when absent", "0.05").optional(),
  })
  .meta({ id: "AskedPiece", description: "What was asked of a piece, besides its id, metal and side" });

const quotedPiece = z
  .object({
    id: z.string().optional().meta({ description: "As given; absent when none was" }),
    metal: z.enum(METALS).optional().meta({ description: "As given" }),
    side: z.enum(SIDES).optional().meta({ description: "Which of `prices` it was priced with" }),
    is_stale: z.boolean().optional().meta({ description: "Whether that price is outside its freshness window" }),
    fine_weight_grams: decimal("Pure metal in it, six decimals", "3.187500").optional(),
    metal_value: money("Fine weight × price of a fine gram", "354.59").optional(),
    margin: money("Of the metal's value; below zero for what you buy", "10.64").optional(),
    making: money("What the shop charges for its work; below zero for what you buy", "53.13").optional(),
    tax: money("Tax", "11.16").optional(),
    total: decimal("The exact sum of the four, rounded once to `round_to`", "429.50").optional(),
    error: pieceError.optional(),
    rounding: decimal("What the lines above lack of `total`; absent when that is nothing", "-0.02").optional(),
    weight_grams: decimal("Weight of the whole piece in grams, exact", "4.25").optional(),
    asked: askedPiece.optional(),
  })
  .meta({
    id: "QuotedPiece",
    description:
      "A piece with its price, or with the reason why it has none. metal_value, margin, making, tax and rounding add up to total",
  });

const sideTotals = z
  .object({
    metal_value: decimal("Sum of the lines", "354.59"),
    margin: decimal("Sum of the lines; below zero for what you buy", "10.64"),
    charges: decimal("Sum of `making`; below zero for what you buy", "53.13"),
    tax: decimal("Sum of the lines", "11.16"),
    rounding: decimal("Sum of the lines; absent when that is nothing", "-0.02").optional(),
    total: decimal("Sum of the totals, and of the lines above: what is paid for the pieces of this side", "429.50"),
  })
  .meta({ id: "SideTotals", description: "Sums of the pieces you sell, or of those you buy" });

const totals = z
  .object({
    metal_value: decimal("Of both sides together", "354.59"),
    making: decimal("Of both sides together", "53.13"),
    tax: decimal("Of both sides together", "11.16"),
    total: decimal("Of both sides together: what is owed is `due`", "429.50"),
    sell: sideTotals,
    buy: sideTotals,
    due: decimal("sell.total − buy.total: what the customer pays; below zero, what you pay the customer", "429.50"),
  })
  .meta({ id: "BillTotals", description: "Sums of what the pieces show, over those with a price" });

const examplePiece = {
  id: "ring-7",
  metal: "XAU",
  weight: "4.25",
  unit: "gram",
  karat: 18,
  margin_percent: "3",
  making: { per_gram: "12.50" },
  tax_percent: "21",
  tax_on: "making",
  round_to: "0.05",
} as const;

const exampleMetal = {
  metal: "XAU",
  side: "sell",
  basis: "ask",
  price_usd: "4003.35",
  unit_grams: "31.1034768",
  price_per_fine_gram: "111.24519557088749",
  ...exampleRate,
  computed_at: EXAMPLE_MOMENT,
  is_stale: false,
} as const;

const NOTHING = { metal_value: "0.00", margin: "0.00", charges: "0.00", tax: "0.00", total: "0.00" };

/** POST /v1/quotes */
export const createQuotes = route({
  method: "POST",
  path: "/v1/quotes",
  tag: "Counter",
  summary: "Price pieces of metal",
  description: `What 1 to ${MAX_PIECES} pieces cost in a shop: metal value, margin, making and tax, all at the prices of one moment. Nothing is stored, and a request is one call. Every step is exact; each amount is rounded once to the currency's minor units, and \`total\`, the exact sum, to \`round_to\`; \`rounding\` is what parts the lines from it. A piece that cannot be priced has an \`error\` with its path, and the others are answered; when none can be, the request is refused: 403 if your tier has none of the metals, 503 if none has a price, else 422 with an issue for each. ${METAL_TIERS} A CSV file is read as well: a header row of the field names, \`making_per_gram\` and the like for \`making\`, and \`currency\` in the query; it is answered as CSV.`,
  access: { auth: "optional" },
  computes: true,
  body: { maxBytes: 256 * 1_024, csv: { list: "items", row: piece } },
  input: z.object({
    currency: z
      .enum(COUNTER_CURRENCIES, { error: currencyFault })
      .meta({ description: "Currency of every amount, ISO 4217", examples: ["EUR"] }),
    items: z
      .array(judged(piece), { error: typed("a list of pieces") })
      .min(1, { error: "must have at least one piece" })
      .max(MAX_PIECES, { error: `must have at most ${MAX_PIECES} pieces` })
      .meta({ description: "The pieces", examples: [[examplePiece]] }),
  }),
  hints: {
    ...hints(MOMENT_NAMES, "pieces are priced now; a past price is /v1/spot/{symbol}?at="),
    ...hints(["pieces", "rows", "lines"], "the pieces are items"),
    ...hints(
      Object.keys(piece.shape).map((name) => name.replaceAll("_", "")),
      "it is a field of each piece in items",
    ),
  },
  output: z
    .object({
      currency: z.enum(COUNTER_CURRENCIES).meta({ description: "Currency of every amount, ISO 4217", examples: ["EUR"] }),
      computed_at: timestamp("When the prices were computed; of several metals, the oldest"),
      prices: z.array(quotedMetal).meta({ description: "What the pieces were priced with: one for each metal and side" }),
      items: z.array(quotedPiece).meta({ description: "The pieces, in the order given" }),
      totals,
    })
    .meta({ id: "Bill", description: "The prices of pieces" }),
  errors: ["plan_gated", "validation_error", "spot_unavailable"],
  formats: { csv: "items", jws: "" },
  tool: {
    name: "quote_items",
    description: `What pieces of ${inWords(METALS, "or")} cost in a shop: jewellery, coins, scrap, in any currency, weight unit and purity, with margin, making charge and tax. Also for melt value: give weight and purity alone. At most 100 pieces.`,
  },
  examples: {
    ring: {
      summary: "A ring of 18 karat, sold in euros",
      value: {
        currency: "EUR",
        computed_at: EXAMPLE_MOMENT,
        prices: [exampleMetal],
        items: [
          {
            id: "ring-7",
            metal: "XAU",
            side: "sell",
            is_stale: false,
            fine_weight_grams: "3.187500",
            metal_value: "354.59",
            margin: "10.64",
            making: "53.13",
            tax: "11.16",
            total: "429.50",
            rounding: "-0.02",
            weight_grams: "4.25",
            asked: {
              weight: "4.25",
              unit: "gram",
              karat: 18,
              margin_percent: "3",
              making: { per_gram: "12.50" },
              tax_percent: "21",
              tax_on: "making",
              round_to: "0.05",
            },
          },
        ],
        totals: {
          metal_value: "354.59",
          making: "53.13",
          tax: "11.16",
          total: "429.50",
          sell: { metal_value: "354.59", margin: "10.64", charges: "53.13", tax: "11.16", rounding: "-0.02", total: "429.50" },
          buy: NOTHING,
          due: "429.50",
        },
      },
    },
    fault: {
      summary: "Two pieces, one of them without a price",
      value: {
        currency: "EUR",
        computed_at: EXAMPLE_MOMENT,
        prices: [exampleMetal],
        items: [
          {
            id: "coin-1",
            fine_weight_grams: "31.103477",
            metal_value: "3460.11",
            margin: "0.00",
            making: "0.00",
            tax: "0.00",
            total: "3460.11",
            weight_grams: "31.1034768",
            asked: { weight: "1", unit: "oz", tax_on: "all" },
          },
          { id: "ring-8", error: { code: "validation_error", message: `must be ${KARAT}`, path: "items[1].karat" } },
        ],
        totals: {
          metal_value: "3460.11",
          making: "0.00",
          tax: "0.00",
          total: "3460.11",
          sell: { ...NOTHING, metal_value: "3460.11", total: "3460.11" },
          buy: NOTHING,
          due: "3460.11",
        },
      },
    },
  },
});
