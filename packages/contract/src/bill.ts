/** The prices of pieces, as a shop reads them. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";
import { NAMED_LIST } from "./formats/csv.ts";
import { CHARGED, SIDES, TAXED } from "./piece.ts";
import { priceParts } from "./price-parts.ts";
import { decimal, METALS, metal, staleReason, timestamp, UNITS } from "./values.ts";

/** Every currency of the catalogue: a shop prices in its own, whether or not metals are quoted in it. */
export const COUNTER_CURRENCIES: readonly string[] = catalogue.rows.currencies.map(({ code }) => code).sort();

export const PIECE_FAULTS = ["validation_error", "plan_gated", "spot_unavailable"] as const;

const money = (description: string, example: string) =>
  decimal(`${description}, rounded half up once to the currency's minor units`, example);

const parts = priceParts("");

export const quotedMetal = z
  .object({
    metal,
    side: z.enum(SIDES).meta({ description: "The pieces it prices: those you sell, or those you buy" }),
    basis: z
      .enum(["ask", "bid", "price"])
      .meta({ description: "What it is made from: the ask or the bid, or the price while there is neither" }),
    price_usd: decimal("That figure in USD, with every digit, per `unit_grams`", "4003.35"),
    unit_grams: decimal("Grams of the unit that metal is priced in", "31.1034768"),
    price_per_fine_gram: decimal(
      "A gram of pure metal in the currency: price_usd / unit_grams × fx_rate, and × (1 + premium_percent / 100), up to 18 significant digits",
      "111.24519557088749",
    ),
    premium_percent: decimal("That of the basis; absent when none was asked for", "5.5").optional(),
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

const askedWays = {
  per_gram: decimal("Amount per gram of the whole piece", "12.50").optional(),
  percent: decimal("Percent", "12").optional(),
  fixed: decimal("An amount for the piece", "40").optional(),
};

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
    making: z.object(askedWays).optional().meta({ id: "AskedMaking", description: "As given" }),
    charges: z
      .array(
        z
          .object({
            name: z.string().meta({ description: "As given", examples: ["hallmark"] }),
            ...askedWays,
            of: z.enum(CHARGED).optional().meta({ description: "As given; metal when absent" }),
            tax_percent: decimal("As given", "18").optional(),
          })
          .meta({ id: "AskedCharge", description: "As given" }),
      )
      .optional()
      .meta({ description: "As given" }),
    tax_percent: decimal("As given", "21").optional(),
    tax_on: z.enum(TAXED).meta({ description: "What is taxed" }),
    round_to: decimal("As given; the currency's smallest unit when absent", "0.05").optional(),
  })
  .meta({ id: "AskedPiece", description: "What was asked of a piece, besides its id, metal and side" });

const quotedCharge = z
  .object({
    name: z.string().meta({ description: "As given", examples: ["hallmark"] }),
    amount: money("The charge; below zero for what you buy", "3.00"),
    tax: money("Its own tax, part of the `tax` of the piece; absent when it has none", "0.54").optional(),
  })
  .meta({ id: "QuotedCharge", description: "A line of the bill" });

export const quotedPiece = z
  .object({
    id: z.string().optional().meta({ description: "As given; absent when none was" }),
    metal: z.enum(METALS).optional().meta({ description: "As given" }),
    side: z.enum(SIDES).optional().meta({ description: "Which of `prices` it was priced with" }),
    is_stale: z.boolean().optional().meta({ description: "Whether that price is outside its freshness window" }),
    fine_weight_grams: decimal("Pure metal in it, six decimals", "3.187500").optional(),
    metal_value: money("Fine weight × price of a fine gram", "354.59").optional(),
    margin: money("Of the metal's value; below zero for what you buy", "10.64").optional(),
    making: money("What the shop charges for its work; below zero for what you buy", "53.13").optional(),
    charges: z
      .array(quotedCharge)
      .optional()
      .meta({ description: "The charges, in the order given; absent when none were", [NAMED_LIST]: "charge" }),
    tax: money("Tax, that of charges included", "11.16").optional(),
    total: decimal("The exact sum of them all, rounded once to `round_to`", "429.50").optional(),
    error: pieceError.optional(),
    rounding: decimal("What the lines above lack of `total`; absent when that is nothing", "-0.02").optional(),
    weight_grams: decimal("Weight of the whole piece in grams, exact", "4.25").optional(),
    asked: askedPiece.optional(),
  })
  .meta({
    id: "QuotedPiece",
    description:
      "A piece with its price, or with the reason why it has none. metal_value, margin, making, charges, tax and rounding add up to total",
  });

const sideTotals = z
  .object({
    metal_value: decimal("Sum of the lines", "354.59"),
    margin: decimal("Sum of the lines; below zero for what you buy", "10.64"),
    charges: decimal("Sum of `making` and `charges`; below zero for what you buy", "53.13"),
    tax: decimal("Sum of the lines", "11.16"),
    rounding: decimal("Sum of the lines; absent when that is nothing", "-0.02").optional(),
    total: decimal("Sum of the totals, and of the lines above: what is paid for the pieces of this side", "429.50"),
  })
  .meta({ id: "SideTotals", description: "Sums of the pieces you sell, or of those you buy" });

export const totals = z
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
