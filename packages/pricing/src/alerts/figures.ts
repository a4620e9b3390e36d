/**
 * Figures of alerts as integers of one scale, so that 10,000 comparisons a second are exact and cheap; and the window of them
 * that `moved` looks back on.
 */
import { type DecimalText, SECOND_MS } from "@assay/contract";
import { Decimal } from "decimal.js";
import { dec } from "../number/exact.ts";
import { readScaled, tenTo, writeUnits } from "../number/scaled.ts";

/** Digits after the point: more than any published price has. */
export const FIGURE_SCALE = 24;

/** A quotient rounded down; both are zero or more. */
const floorOf = (numerator: bigint, denominator: bigint): bigint => numerator / denominator;
/** A quotient rounded up. */
const ceilOf = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/**
 * A share of a positive figure, in units of the common scale.
 * @param text plain notation
 * @param parts of `whole`, by which it is multiplied
 * @param rounded down or up, where it has more digits than the scale. A price, which has fewer, is above a figure when it is above
 *   the figure rounded down, and below it when it is below the figure rounded up
 */
export const shareOf = (text: DecimalText, parts: bigint, whole: bigint, rounded: "down" | "up"): bigint => {
  const { units, scale } = readScaled(text);
  const round = rounded === "down" ? floorOf : ceilOf;
  return round(units * parts * tenTo(FIGURE_SCALE), tenTo(scale) * whole);
};

/** A published price in units of the common scale. */
export const figureOf = (price: DecimalText): bigint => shareOf(price, 1n, 1n, "down");

/**
 * A move to a price.
 * @param from the figure it began at
 * @returns that figure with the price's decimals at least, and the percentage, rounded half up to four decimals
 */
export const moveTo = (price: DecimalText, from: bigint): { readonly reference: DecimalText; readonly percent: DecimalText } => {
  const reference = writeUnits(from, FIGURE_SCALE, price.split(".")[1]?.length ?? 0);
  const percent = dec(price).minus(reference).times(100).div(reference);
  return { reference, percent: percent.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed() };
};

/** A window is counted in so many steps, or in seconds where those are longer: a price leaves it at most a step late. */
const STEPS = 240;

interface Extreme {
  readonly step: number;
  readonly figure: bigint;
}

/** A window as it is stored: steps and the prices of their extremes, oldest first. */
export interface StoredWindow {
  readonly lows: readonly (readonly [number, DecimalText])[];
  readonly highs: readonly (readonly [number, DecimalText])[];
}

const written = (extremes: readonly Extreme[]): StoredWindow["lows"] =>
  extremes.map(({ step, figure }) => [step, writeUnits(figure, FIGURE_SCALE, 0)]);

const read = (stored: StoredWindow["lows"]): Extreme[] => stored.map(([step, price]) => ({ step, figure: figureOf(price) }));

/**
 * The lowest and highest of the prices in a sliding window, which come in the order of time. Only what may still become one of
 * them is kept.
 */
export class MovedWindow {
  readonly #spanMs: number;
  readonly #stepMs: number;
  /** Oldest first, each lower than those before it may be: the first is the lowest. */
  #lows: Extreme[] = [];
  #highs: Extreme[] = [];

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
    this.#stepMs = Math.max(SECOND_MS, spanMs / STEPS);
  }

  get stored(): StoredWindow {
    return { lows: written(this.#lows), highs: written(this.#highs) };
  }

  /** Continues from what another one held. */
  restore({ lows, highs }: StoredWindow): void {
    this.#lows = read(lows);
    this.#highs = read(highs);
  }

  /** The lowest price; undefined when it is empty. */
  get low(): bigint | undefined {
    return this.#lows[0]?.figure;
  }

  /** The highest price; undefined when it is empty. */
  get high(): bigint | undefined {
    return this.#highs[0]?.figure;
  }

  /** Drops what has left the window by an instant. */
  slide(atMs: number): void {
    const oldest = Math.floor((atMs - this.#spanMs) / this.#stepMs);
    while ((this.#lows[0]?.step ?? oldest) < oldest) this.#lows.shift();
    while ((this.#highs[0]?.step ?? oldest) < oldest) this.#highs.shift();
  }

  /** Adds a price that is no older than those before. */
  add(figure: bigint, atMs: number): void {
    const step = Math.floor(atMs / this.#stepMs);
    const isLower = (than: bigint): boolean => figure <= than;
    const isHigher = (than: bigint): boolean => figure >= than;
    for (const [extremes, surpasses] of [
      [this.#lows, isLower],
      [this.#highs, isHigher],
    ] as const) {
      for (let last = extremes.at(-1); last && surpasses(last.figure); last = extremes.at(-1)) extremes.pop();
      // Within a step the first of two extremes is enough: they leave together.
      if (extremes.at(-1)?.step !== step) extremes.push({ step, figure });
    }
  }

  clear(): void {
    this.#lows = [];
    this.#highs = [];
  }
}
