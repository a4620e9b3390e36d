/** Rounds the simulated market's floats to published digits. */
import type { DecimalText } from "@assay/contract";

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000] as const;

/**
 * Converts a level to whole units of its last published decimal, rounded half up.
 * @param decimals 0 to 5
 */
export const toUnits = (level: number, decimals: number): number => Math.floor(level * (POWERS[decimals] ?? 1) + 0.5);

/**
 * Formats units of the last decimal as decimal text.
 * @param units a whole number, not negative
 * @param decimals digits after the point
 */
export const unitsText = (units: number, decimals: number): DecimalText => {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
