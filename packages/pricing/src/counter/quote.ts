/** What a piece of metal is worth at the counter: value, margin, making, charges and tax (docs/specs/counter.md). */
import type { DecimalText } from "@assay/contract";
import { gramsPer, metalUnit } from "../conventions/units.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, ONE, toFixedText } from "../number/exact.ts";
import { divideHalfUp, readScaled, tenTo, writeUnits } from "../number/scaled.ts";

/** What a shop adds: an amount per gram of the piece, a percentage, or an amount. */
export type Addition = { readonly per_gram: DecimalText } | { readonly percent: DecimalText } | { readonly fixed: DecimalText };

/** A line after making. */
export interface Charge {
  readonly name: string;
  readonly addition: Addition;
  /** What a percentage is taken of: the metal's value, that and the margin, or all lines before this one. */
  readonly of: "metal" | "metal_and_margin" | "running";
  /** Percent of this charge, in place of the tax of the piece. */
  readonly taxPercent?: DecimalText | undefined;
}

/** A piece, and how its price is made. Amounts are in the currency of the quote. */
export interface Piece {
  /** Weight of the whole piece, and its unit. */
  readonly weight: DecimalText;
  readonly unit: string;
  /** The share of pure metal, from above 0 to 1. */
  readonly purity: Fraction;
  /** Whether the shop sells the piece, or buys it. */
  readonly side: "sell" | "buy";
  /** Percent of the metal's value; like `making`, added to what is sold and taken off what is bought. */
  readonly marginPercent?: DecimalText | undefined;
  /** Its percentage is of the metal's value. */
  readonly making?: Addition | undefined;
  readonly charges?: readonly Charge[] | undefined;
  /** Percent of `taxOn`: of all lines but charges with a tax of their own, of making alone, or of nothing. */
  readonly taxPercent?: DecimalText | undefined;
  readonly taxOn: "all" | "making" | "none";
  /** The step the total is rounded to; the currency's smallest unit when absent. */
  readonly roundTo?: DecimalText | undefined;
}

export interface PieceQuote {
  /** Of the whole piece, exact. */
  readonly weightGrams: DecimalText;
  /** Six decimals. */
  readonly fineWeightGrams: DecimalText;
  /** In the currency's minor units; margin, making and charges of what is bought are below zero. */
  readonly metalValue: DecimalText;
  readonly margin: DecimalText;
  readonly making: DecimalText;
  /** In their order, each with its own tax if it has one. */
  readonly charges: readonly { readonly name: string; readonly amount: DecimalText; readonly tax?: DecimalText }[];
  /** That of charges included. */
  readonly tax: DecimalText;
  /** The total less the lines as they are shown; absent when it is nothing. */
  readonly rounding?: DecimalText;
  /** Rounded to `roundTo`. */
  readonly total: DecimalText;
}

/**
 * The price of a gram of pure metal: usd / grams of the metal's unit × rate, exact.
 * @param usd the price in USD of the metal's own unit, unrounded
 * @param metal the metal's code
 * @param rate units of the currency for one USD
 * @throws RangeError when the catalogue does not have the metal
 */
export const pricePerFineGram = (usd: Exact, metal: string, rate: Exact): Fraction =>
  multiplyExact(divideExact(fraction(usd), fraction(gramsPer(metalUnit(metal)))), fraction(rate));

/** Decimals of a fine weight in grams. */
const WEIGHT_DECIMALS = 6;

const ZERO: Fraction = { numerator: 0n, denominator: 1n };
const HUNDREDTH: Fraction = { numerator: 1n, denominator: 100n };

const sum = (...terms: readonly Fraction[]): Fraction =>
  terms.reduce((a, b) => ({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }));

const product = (...factors: readonly Fraction[]): Fraction => factors.reduce(multiplyExact, ONE);

const percentOf = (percent: DecimalText, base: Fraction): Fraction => product(fraction(percent), HUNDREDTH, base);

/** @param base what a percentage is taken of */
const amountOf = (addition: Addition, grams: Fraction, base: Fraction): Fraction => {
  if ("per_gram" in addition) return product(fraction(addition.per_gram), grams);
  return "percent" in addition ? percentOf(addition.percent, base) : fraction(addition.fixed);
};

/** The multiple of a step that is nearest, half up, with the decimals of step and currency. */
const roundedTo = (value: Fraction, step: DecimalText, decimals: number): DecimalText => {
  const { units, scale } = readScaled(step);
  const shown = Math.max(scale, decimals);
  const steps = divideHalfUp(value.numerator * tenTo(scale), value.denominator * units);
  return writeUnits(steps * units * tenTo(shown - scale), shown);
};

const exactGrams = (weight: DecimalText, unit: string): DecimalText => {
  const [amount, grams] = [readScaled(weight), readScaled(gramsPer(unit).toFixed())];
  return writeUnits(amount.units * grams.units, amount.scale + grams.scale, 0);
};

/**
 * Quotes a piece. Every step is exact; each figure is rounded half up once, the total from the exact sum of the others.
 *
 * fine weight = weight × grams of its unit × purity; metal value = fine weight × price; margin = metal value × percent; making =
 * amount per gram × weight in grams, metal value × percent, or amount; a charge is made as making is, its percentage of what it names;
 * margin, making and charges are below zero for a piece that is bought; tax = percent of metal value + margin + making + charges without a
 * tax of their own, or of making, and the taxes of charges; total = the sum of them all.
 * @param finePrice the price of a gram of pure metal in the currency, unrounded: the ask when the shop sells, the bid when
 *   it buys
 * @param decimals the currency's minor units
 * @throws RangeError when a figure is text that is not a plain decimal, or the unit is not in the catalogue
 */
export const quotePiece = (piece: Piece, finePrice: Exact, decimals: number): PieceQuote => {
  const weightGrams = exactGrams(piece.weight, piece.unit);
  const grams = fraction(weightGrams);
  const fine = product(grams, piece.purity);
  const value = product(fine, fraction(finePrice));
  const onSide = (share: Fraction): Fraction => (piece.side === "sell" ? share : { ...share, numerator: -share.numerator });
  const margin = onSide(piece.marginPercent === undefined ? ZERO : percentOf(piece.marginPercent, value));
  const making = onSide(piece.making === undefined ? ZERO : amountOf(piece.making, grams, value));
  let running = sum(value, margin, making);
  let taxable = running;
  let chargeTax = ZERO;
  const charges = (piece.charges ?? []).map(({ name, addition, of, taxPercent }) => {
    const base = { metal: value, metal_and_margin: sum(value, margin), running }[of];
    const amount = onSide(amountOf(addition, grams, base));
    const tax = taxPercent === undefined ? undefined : percentOf(taxPercent, amount);
    running = sum(running, amount);
    if (tax === undefined) taxable = sum(taxable, amount);
    else chargeTax = sum(chargeTax, tax);
    return { name, amount, tax };
  });
  const taxed = { all: taxable, making, none: ZERO }[piece.taxOn];
  const tax = sum(piece.taxPercent === undefined ? ZERO : percentOf(piece.taxPercent, taxed), chargeTax);
  const exact = sum(running, tax);
  const money = (figure: Fraction): DecimalText => toFixedText(figure, decimals);
  const lines = { metalValue: money(value), margin: money(margin), making: money(making), tax: money(tax) };
  const shownCharges = charges.map(({ name, amount, tax: own }) => ({
    name,
    amount: money(amount),
    ...(own !== undefined && { tax: money(own) }),
  }));
  const total = piece.roundTo === undefined ? money(exact) : roundedTo(exact, piece.roundTo, decimals);
  const shown = [...Object.values(lines), ...shownCharges.map(({ amount }) => amount)];
  const rounding = differenceOfShown(total, sumOfShown(shown, decimals), decimals);
  return {
    weightGrams,
    fineWeightGrams: toFixedText(fine, WEIGHT_DECIMALS),
    ...lines,
    charges: shownCharges,
    ...(!isNothing(rounding) && { rounding }),
    total,
  };
};

export const isNothing = (amount: DecimalText): boolean => /^-?[0.]+$/.test(amount);

/**
 * The sum of amounts as they are shown, so that a bill adds up.
 * @param amounts plain decimals
 * @param decimals at least so many are shown
 */
export const sumOfShown = (amounts: readonly DecimalText[], decimals: number): DecimalText => {
  const read = amounts.map(readScaled);
  const shown = Math.max(decimals, ...read.map(({ scale }) => scale));
  return writeUnits(
    read.reduce((total, { units, scale }) => total + units * tenTo(shown - scale), 0n),
    shown,
  );
};

/** One shown amount less another, as `sumOfShown`. */
export const differenceOfShown = (from: DecimalText, taken: DecimalText, decimals: number): DecimalText =>
  sumOfShown([from, taken.startsWith("-") ? taken.slice(1) : `-${taken}`], decimals);
