/**
 * Price levels of the simulated market: each metal through the years, and what its futures and a fund's shares are worth beside
 * it.
 */
import { catalogue, type FundRow, type MetalRow } from "@assay/catalogue";
import { DAY_MS } from "@assay/contract";
import { activeContractOn, utcDay } from "@assay/pricing";
import type { Anchors } from "../path/path.ts";

/** The last year with simulated prices. */
export const LAST_SIMULATED_YEAR = 2099;

/** The year before the first with bars. */
const FIRST_YEAR = 1995;

/** Annual growth of a level before and after its table. */
const GROWTH = 1.02;

const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / DAY_MS;

/** How a metal moves whose row does not say: steady, halfway between its bounds, as far as these are factors of it. */
const unknown = ({ bounds }: MetalRow): NonNullable<MetalRow["simulated"]> => {
  const level = Math.sqrt(Number(bounds.low) * Number(bounds.high));
  return { levels: { 1995: [level], 2026: [level] }, volatility: 0.25, decimals: level >= 100 ? 2 : 4, half_spread_bps: 5 };
};

/**
 * How a metal moves in the simulated market.
 * @param code the metal's code
 */
export const simulatedMetal = (code: string): NonNullable<MetalRow["simulated"]> => {
  const row = catalogue.metal(code);
  return row.simulated ?? unknown(row);
};

/**
 * The levels a table leads through: one per year before its first, mid-months or mid-quarters of it, then one per year, rising by 2 %
 * outside of it.
 * @param table figures by year, evenly spread over it
 * @returns from before the first bar up to the middle of the year after the last
 */
export const anchorsOf = (table: NonNullable<MetalRow["simulated"]>["levels"]): Anchors => {
  const days: number[] = [];
  const levels: number[] = [];
  const [[firstYear = "", [firstLevel = 0] = []] = []] = Object.entries(table);
  // Step by step: a power's last bit depends on the platform.
  let earlier = firstLevel;
  for (let year = Number(firstYear) - 1; year >= FIRST_YEAR; year--) {
    earlier /= GROWTH;
    days.unshift(dayOf(year, 11, 15));
    levels.unshift(earlier);
  }
  for (const [yearText, figures] of Object.entries(table)) {
    const months = 12 / figures.length;
    for (const [index, level] of figures.entries()) {
      days.push(dayOf(Number(yearText), index * months + Math.floor(months / 2), 15));
      levels.push(level);
    }
  }
  let level = levels.at(-1) ?? 0;
  const lastYear = new Date((days.at(-1) ?? 0) * DAY_MS).getUTCFullYear();
  for (let year = lastYear + 1; year <= LAST_SIMULATED_YEAR + 1; year++) {
    level *= GROWTH;
    days.push(dayOf(year, 11, 15));
    levels.push(level);
  }
  return { days, levels };
};

/**
 * The levels a metal passes through.
 * @param metal the metal's code
 * @returns USD per its unit
 */
export const metalAnchors = (metal: string): Anchors => anchorsOf(simulatedMetal(metal).levels);

/** Annual carry of a metal whose row does not say, as a share of the price: a gentle contango. */
const CARRY = 0.04;

const carryOf = (metal: string): number => catalogue.metal(metal).futures?.simulated?.carry ?? CARRY;

/** The day of its month from which a contract's carry is counted: fixed, so that prices do not depend on holidays. */
const EXPIRY_DAY = 27;

/**
 * The ratio of futures price to spot in the simulated market.
 * @param days to expiry
 * @returns futures / spot, above 1
 */
export const simulatedCarry = (metal: string, days: number): number => 1 + (carryOf(metal) * days) / 365;

/** The active contract over spot at the start of a UTC day; it rolls with the real one. */
export const activeContractFactor = (metal: string, day: number): number => {
  const date = utcDay(day * DAY_MS);
  const active = activeContractOn(metal, date);
  if (!active) throw new RangeError(`no ${metal} futures trade on ${date}`);
  return simulatedCarry(metal, dayOf(active.year, active.month - 1, EXPIRY_DAY) - day);
};

/**
 * Ounces of metal per share of a fund at the start of a UTC day: fewer each year by its fees.
 * @returns a function of the day
 */
export const ouncesPerShare = ({ first_day, ounces_per_share, yearly_fee }: NonNullable<FundRow["simulated"]>) => {
  const start = Date.parse(`${first_day}T00:00:00Z`) / DAY_MS;
  return (day: number): number => ounces_per_share / (1 + (yearly_fee * (day - start)) / 365.25);
};
