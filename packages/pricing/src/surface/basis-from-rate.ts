/** Spot over the front future when the future's price is unknown: the cost of carry to delivery at an assumed rate. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { activeContracts, frontContract, lastTradeDay } from "../futures/futures-contract.ts";
import { Decimal } from "../number/decimal.ts";
import { FALLBACK_RATE } from "./option-surface.ts";

const FUTURE = { xau: "GC", xag: "SI" } as const;
const YEAR_MS = 365 * 86_400_000;
/** The result is only as good as this rate. */
const DECIMALS = 6;

/**
 * Spot over the future that will be the front when a market expires, both at that instant: exp(−rate × years from then to the
 * future's last trading day), at 4 % a year.
 * @param metal the metal
 * @param expiresAtMs when the market expires
 * @returns slightly below 1; null where the exchange lists no future for that day
 */
export const basisFromRate = (metal: SurfaceMetal, expiresAtMs: number): DecimalText | null => {
  const day = new Date(expiresAtMs).toISOString().slice(0, 10);
  const front = frontContract(activeContracts(FUTURE[metal], day), day);
  if (!front) return null;
  const years = Math.max(0, Date.parse(`${lastTradeDay(front)}T00:00:00Z`) - expiresAtMs) / YEAR_MS;
  return new Decimal(Math.exp(-FALLBACK_RATE * years)).toDecimalPlaces(DECIMALS).toFixed();
};
