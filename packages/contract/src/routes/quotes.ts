/** What pieces of metal cost at a shop's counter. */
import { z } from "zod";
import { COUNTER_CURRENCIES, quotedMetal, quotedPiece, totals } from "../bill.ts";
import { currencyHint } from "../currency-codes.ts";
import { hints, MOMENT_NAMES } from "../hints.ts";
import { judged } from "../judged.ts";
import { SHOP_MEANT } from "../meant.ts";
import { KARAT, piece, strict, typed } from "../piece.ts";
import { exampleRate } from "../price-parts.ts";
import { route } from "../route.ts";
import { EXAMPLE_MOMENT, METALS, timestamp } from "../values.ts";
import { inWords, METAL_TIERS } from "../wording.ts";

export const MAX_PIECES = 500;

const currencyFault = ({ input }: { readonly input?: unknown }): string =>
  (typeof input === "string" ? currencyHint(input) : null) ?? typed(`one of ${COUNTER_CURRENCIES.join(", ")}`)({ input });

/** How long a price may be held. */
const MAX_HOLD_MINUTES = 30;
const HOLD = `a whole number from 1 to ${MAX_HOLD_MINUTES}`;

const PREMIUM = /^-?[0-9]{1,3}(?:\.[0-9]{1,6})?$/;
const PREMIUM_FORM = 'a decimal above -100 and up to 100 as text, such as "5.5"';

/** What a shop's local market stands above or below the converted price. */
const basis = strict("basis", {
  premium_percent: z
    .string({ error: typed(PREMIUM_FORM) })
    .refine((text) => PREMIUM.test(text) && Number(text) > -100 && Number(text) <= 100, { error: `must be ${PREMIUM_FORM}` })
    .meta({
      description: "Percent that is added to every price; below zero it is taken off",
      format: "decimal",
      examples: ["5.5"],
    }),
}).meta({
  description: "What prices stand on, where the local market is above or below spot",
  examples: [{ premium_percent: "5.5" }],
});

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
  description: `What 1 to ${MAX_PIECES} pieces cost in a shop: metal value, margin, making, charges and tax, all at the prices of one moment. Nothing is stored, and a request is one call. Every step is exact; each amount is rounded once to the currency's minor units, and \`total\`, the exact sum, to \`round_to\`; \`rounding\` is what parts the lines from it. A piece that cannot be priced has an \`error\` with its path, and the others are answered; when none can be, the request is refused: 403 if your tier has none of the metals, 503 if none has a price, else 422 with an issue for each. ${METAL_TIERS} A CSV file is read as well: a header row of the field names, \`making_per_gram\` and the like for \`making\`, \`charge.NAME.fixed\` and the like for a charge, and \`currency\` in the query; it is answered as CSV.`,
  access: { auth: "optional" },
  computes: true,
  body: { maxBytes: 256 * 1_024, csv: { list: "items", row: piece } },
  input: z.object({
    currency: z
      .enum(COUNTER_CURRENCIES, { error: currencyFault })
      .meta({ description: "Currency of every amount, ISO 4217", examples: ["EUR"] }),
    basis: basis.optional(),
    hold_minutes: z
      .int({ error: typed(HOLD) })
      .min(1, { error: typed(HOLD) })
      .max(MAX_HOLD_MINUTES, { error: typed(HOLD) })
      .meta({
        description:
          "How many minutes these prices are held: `valid_until` says until when, and a receipt (format=jws) proves it",
      })
      .optional(),
    items: z
      .array(judged(piece, SHOP_MEANT), { error: typed("a list of pieces") })
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
      valid_until: timestamp("Until when the prices are held; absent without `hold_minutes`").optional(),
      prices: z.array(quotedMetal).meta({ description: "What the pieces were priced with: one for each metal and side" }),
      items: z.array(quotedPiece).meta({ description: "The pieces, in the order given" }),
      totals,
    })
    .meta({ id: "Bill", description: "The prices of pieces" }),
  errors: ["plan_gated", "validation_error", "spot_unavailable"],
  formats: { csv: "items", jws: "" },
  tool: {
    name: "quote_items",
    omits: ["basis", "hold_minutes"],
    description: `What jewellery, coins or scrap of ${inWords(METALS, "or")} cost in a shop, with margin, making, charges and tax; weight and purity alone give the melt value. At most 100 pieces.`,
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
