/** Plausible prices of a day, by period, for imported bars. USD per unit. */

/** From the start of a year to that of the next period: lowest and highest. */
type Period = [year: number, low: string, high: string];

/**
 * About half of the lowest and twice the highest price of each period: wide enough for every actual day, too narrow for another
 * metal's prices (except platinum's and gold's, which have crossed) and for prices in cents.
 */
export const GOLD: Period[] = [
  [1700, "10", "100"],
  [1968, "20", "400"],
  [1976, "60", "1700"],
  [1982, "150", "1000"],
  [1996, "150", "1000"],
  [2006, "300", "3800"],
  [2016, "600", "4200"],
  [2024, "1000", "12000"],
  [2026, "1000", "50000"],
];

export const SILVER: Period[] = [
  [1700, "0.2", "5"],
  [1967, "0.6", "8"],
  [1973, "1.5", "100"],
  [1983, "2", "25"],
  [1990, "2", "15"],
  [2004, "3", "45"],
  [2010, "6", "100"],
  [2025, "10", "250"],
  [2026, "10", "1000"],
];

export const COPPER: Period[] = [
  [1700, "0.03", "1"],
  [1960, "0.15", "3"],
  [1995, "0.3", "3"],
  [2004, "0.5", "9"],
  [2024, "1.5", "14"],
  [2026, "1.5", "60"],
];

export const PLATINUM: Period[] = [
  [1700, "2", "600"],
  [1973, "60", "2200"],
  [1996, "150", "1800"],
  [2006, "300", "4600"],
  [2026, "400", "50000"],
];

export const PALLADIUM: Period[] = [
  [1700, "10", "700"],
  [1996, "50", "2300"],
  [2016, "200", "7000"],
  [2026, "200", "50000"],
];

/** About a tenth of gold's, since the fund's launch. */
export const GLD: Period[] = [
  [1700, "15", "380"],
  [2016, "50", "420"],
  [2024, "80", "1200"],
  [2026, "80", "5000"],
];
