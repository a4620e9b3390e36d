/** A piece of metal as a shop asks for its price. */
import { z } from "zod";
import { NAMED_LIST } from "./formats/csv.ts";
import { fineness } from "./purity.ts";
import { METALS, UNITS } from "./values.ts";

/** Whether the shop sells a piece, or buys it. */
export const SIDES = ["sell", "buy"] as const;
/** What a charge in percent is taken of. */
export const CHARGED = ["metal", "metal_and_margin", "running"] as const;
/** What a tax is taken of: all lines, making alone, or nothing. */
export const TAXED = ["all", "making", "none"] as const;

/** The longest amount: more digits than any weight or price has. */
const MAX_DIGITS = 32;
const MAX_ID = 64;

const AMOUNT = /^[0-9]+(?:\.[0-9]+)?$/;
const ZERO = /^[0.]+$/;

/** What a field says of a value of another type. */
export const typed =
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

export const KARAT = "a whole number from 1 to 24";
/** What names a field of an object that it does not have. */
const strict = <S extends z.core.$ZodLooseShape>(what: string, shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `is not a field of ${what}: the fields are ${Object.keys(shape).join(", ")}`
        : `must be an object`,
  });

/** The three ways to say how much is added; each piece of a bill is made in one of them. */
const WAYS = ["per_gram", "percent", "fixed"] as const;
const ways = {
  per_gram: amount("Amount per gram; of the whole piece's weight", "12.50").optional(),
  percent: amount("Percent of the metal's value", "12").optional(),
  fixed: amount("An amount", "40").optional(),
};
const isOneWay = (given: object): boolean => WAYS.filter((way) => way in given).length === 1;
const ONE_WAY = { error: `must be one of ${WAYS.join(", ")}` };

/** What a shop adds for its work. */
const making = strict("making", ways)
  .refine(isOneWay, ONE_WAY)
  .meta({ id: "Making", title: "Making", description: "What a shop adds for its work, in one of three ways" });

const CHARGE_NAME = /^\p{L}[\p{L}\p{N} _-]{0,31}$/u;
const CHARGE_FORM = "1 to 32 letters, digits, blanks, - and _, beginning with a letter";
export const MAX_CHARGES = 8;

const charge = strict("a charge", {
  name: z
    .string({ error: typed(CHARGE_FORM) })
    .refine((name) => CHARGE_NAME.test(name), { error: `must be ${CHARGE_FORM}` })
    .refine((name) => name.toLowerCase() !== "making", { error: "is a field of its own: making" })
    .meta({ description: `Its name on the bill; ${CHARGE_FORM}`, maxLength: 32, examples: ["hallmark"] }),
  ...ways,
  percent: amount("Percent of `of`", "4").optional(),
  of: choice(
    CHARGED,
    "What `percent` is taken of; the metal's value, that and the margin, or all lines before this one, making included; metal when left out",
  ).optional(),
  tax_percent: amount("Its own tax in percent; `tax_percent` of the piece is then not taken of it", "18").optional(),
})
  .refine(isOneWay, ONE_WAY)
  .refine(({ of, percent }) => of === undefined || percent !== undefined, { path: ["of"], error: "is for percent alone" })
  .meta({
    id: "Charge",
    title: "Charge",
    description: "A further line of the bill, in one of three ways: wastage, a hallmark, stones",
  });

const nameOf = ({ name }: { readonly name: string }): string => name.toLowerCase();

const charges = z
  .array(charge, { error: typed("a list of charges") })
  .max(MAX_CHARGES, { error: `must have at most ${MAX_CHARGES} charges` })
  .refine((given) => new Set(given.map(nameOf)).size === given.length, {
    error: "must have a name each, different from the others'",
  })
  .meta({ description: `Further lines of the bill, in their order; at most ${MAX_CHARGES}`, [NAMED_LIST]: "charge" });

export const piece = strict("a piece", {
  id: z
    .string({ error: typed("text") })
    .max(MAX_ID, { error: `must have at most ${MAX_ID} characters` })
    .meta({ description: "Your name for it; answered as it is", examples: ["ring-7"] })
    .optional(),
  metal: choice(METALS, "Metal code; its name is read as well"),
  weight: positive("Weight of the whole piece", "4.25"),
  unit: choice(UNITS, "Unit of the weight"),
  karat: z
    .int({ error: typed(KARAT) })
    .min(1, { error: typed(KARAT) })
    .max(24, { error: typed(KARAT) })
    .meta({
      description: "Purity in parts of 24, gold only, 22K as well; pure metal when neither this nor `fineness` is given",
      examples: [18],
    })
    .optional(),
  fineness: fineness.optional(),
  side: choice(SIDES, "Whether you sell or buy it; priced from the ask when you sell, from the bid when you buy").default("sell"),
  margin_percent: amount("Percent of the metal's value; added to what you sell, taken off what you buy", "3").optional(),
  making: making.optional(),
  charges: charges.optional(),
  tax_percent: amount("Percent of `tax_on`", "21").optional(),
  tax_on: choice(
    TAXED,
    "What is taxed; value, margin, making and charges without a tax of their own together, making alone, or nothing",
  ).default("all"),
  round_to: positive("Step the total is rounded to; the currency's smallest unit when left out", "0.05").optional(),
})
  .refine(({ karat, fineness: parts }) => karat === undefined || parts === undefined, {
    path: ["fineness"],
    error: "must not be given together with karat",
  })
  .meta({ id: "Piece", title: "Piece", description: "A piece of metal, and how its price is made" });

export type PieceRequest = z.output<typeof piece>;
