/** Spot over the front future where nobody tells the future's price: what carrying the metal to delivery costs at an assumed rate. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { Decimal } from "../decimal.ts";
import { activeContracts, frontContract, lastTradeDay } from "../futures-contract.ts";
import { FALLBACK_RATE } from "./option-surface.ts";

const FUTURE = { xau: "GC", xag: "SI" } as const;
const YEAR_MS = 365 * 86_400_000;
/** The figure is no better than its rate. */
const DECIMALS = 6;

/**
 * Spot over the future that is the front one when a market expires, both at that instant: exp(−rate × years from then to the
 * future's last trading day), at 4 % a year.
 * @param metal the metal
 * @param expiresAtMs when the market expires
 * @returns a little below 1; null where the exchange lists no future for that day
 */
export const basisFromRate = (metal: SurfaceMetal, expiresAtMs: number): DecimalText | null => {
  const day = new Date(expiresAtMs).toISOString().slice(0, 10);
  const front = frontContract(activeContracts(FUTURE[metal], day), day);
  if (!front) return null;
  const years = Math.max(0, Date.parse(`${lastTradeDay(front)}T00:00:00Z`) - expiresAtMs) / YEAR_MS;
  return new Decimal(Math.exp(-FALLBACK_RATE * years)).toDecimalPlaces(DECIMALS).toFixed();
};
