/** Factors between a simulated metal and its derivatives: carry to delivery, and a fund's ounces per share. */

/** The metals with simulated futures. */
export type FuturesMetal = "XAU" | "XAG" | "HG";

/** Annual carry, as a share of the price: a gentle contango. */
const CARRY: Record<FuturesMetal, number> = { XAU: 0.042, XAG: 0.045, HG: 0.02 };

/** Delivery months of the contracts that become the front, 0 = January. */
const ACTIVE_MONTHS: Record<FuturesMetal, readonly number[]> = {
  XAU: [1, 3, 5, 7, 9, 11],
  XAG: [2, 4, 6, 8, 11],
  HG: [2, 4, 6, 8, 11],
};

/** The day of the month before delivery on which trading rolls to the next contract. */
const ROLL_DAY = 25;
/** The day of its month on which a contract expires. */
const EXPIRY_DAY = 27;

const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / 86_400_000;

/**
 * The ratio of futures price to spot in the simulated market.
 * @param metal the metal
 * @param days to expiry
 * @returns futures / spot, above 1
 */
export const simulatedCarry = (metal: FuturesMetal, days: number): number => 1 + (CARRY[metal] * days) / 365;

/**
 * The simulated front contract of a day.
 * @param metal the metal
 * @param day UTC days since 1970-01-01
 * @returns its year, month (0 = January) and last UTC day
 */
export const simulatedFrontContract = (
  metal: FuturesMetal,
  day: number,
): { readonly year: number; readonly month: number; readonly expiryDay: number } => {
  const firstYear = new Date(day * 86_400_000).getUTCFullYear();
  for (let year = firstYear; ; year++) {
    const month = ACTIVE_MONTHS[metal].find((active) => day < dayOf(year, active - 1, ROLL_DAY));
    if (month !== undefined) return { year, month, expiryDay: dayOf(year, month, EXPIRY_DAY) };
  }
};

/** Front contract over spot at the start of a UTC day. */
export const frontContractFactor = (metal: FuturesMetal, day: number): number =>
  simulatedCarry(metal, simulatedFrontContract(metal, day).expiryDay - day);

const FUND_START = dayOf(2004, 10, 18);

/** Ounces of gold per share of the fund at the start of a UTC day: a tenth at first, 0.4 % less each year. */
export const ouncesPerShare = (day: number): number => 0.1 / (1 + (0.004 * (day - FUND_START)) / 365.25);
