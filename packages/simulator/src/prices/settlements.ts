/** Settlements of the simulated market: a curve in contango, each contract with its own noise, settled at 13:30 New York. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { DAY_MS, type DecimalText, type FuturesSymbol } from "@assay/contract";
import {
  type CalendarDay,
  isBusinessDay,
  lastTradeDay,
  NEW_YORK,
  type SettlementObservation,
  tradingContracts,
  wallTimeMs,
} from "@assay/pricing";
import { noiseKey, shareAt } from "../path/noise.ts";
import { simulatedCarry } from "../series/levels.ts";
import { simulatedPrice, toUnits, unitsText } from "./price.ts";

export const SIMULATED_SETTLEMENTS = "simulated-settlements";

const SETTLED_AT_MS = 13.5 * 3_600_000;
/** How far a contract's settlement deviates from the curve, in bps. */
const STRAY_BPS = 0.5;

interface Product {
  readonly metal: string;
  /** Units of the last decimal per tick. */
  readonly tickUnits: number;
  readonly decimals: number;
  /** Contracts traded per day in the front contract. */
  readonly volume: number;
}

/** How a product settles whose row does not say. */
const UNKNOWN = { decimals: 2, tick_units: 1, volume: 1_000 };

const PRODUCTS: readonly (readonly [FuturesSymbol, Product])[] = catalogue.spotMetals.flatMap(({ code, futures }) => {
  if (futures === null) return [];
  const { decimals, tick_units: tickUnits, volume } = futures.simulated?.settlement ?? UNKNOWN;
  return [[futures.product, { metal: code, tickUnits, decimals, volume }] as const];
});

const rounded = (level: number, { tickUnits, decimals }: Product): DecimalText =>
  unitsText(Math.max(1, toUnits(level / tickUnits, decimals)) * tickUnits, decimals);

/**
 * When the simulated exchange settles on a day.
 * @param day a calendar day in New York
 * @returns epoch milliseconds; null when it does not settle on that day
 */
export const simulatedSettlementMs = (day: CalendarDay): number | null =>
  isBusinessDay(day) ? wallTimeMs(NEW_YORK, day, SETTLED_AT_MS) : null;

/**
 * The settlements of a day: every contract of a main month that still trades and expires within a year.
 * @param day a calendar day in New York
 * @param seed the market's seed
 * @returns empty when the exchange does not settle on that day
 */
export const simulatedSettlements = (day: CalendarDay, seed: number): SettlementObservation[] => {
  const atMs = simulatedSettlementMs(day);
  if (atMs === null) return [];
  const dayNumber = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  return PRODUCTS.flatMap(([symbol, product]) => {
    const spot = Number(simulatedPrice(spotSymbol(product.metal), atMs, seed));
    return tradingContracts(symbol, day).map((contract, place): SettlementObservation => {
      const key = noiseKey(seed, contract.name);
      const days = Date.parse(`${lastTradeDay(contract)}T00:00:00Z`) / DAY_MS - dayNumber;
      const stray = 1 + ((shareAt(key, dayNumber) - 0.5) * 2 * STRAY_BPS) / 10_000;
      const traded =
        (product.volume / (1 << (2 * place))) * (0.7 + 0.6 * shareAt(noiseKey(seed, `${contract.name} volume`), dayNumber));
      return {
        kind: "settlement",
        source: SIMULATED_SETTLEMENTS,
        sourceType: "proxy_simulated",
        symbol,
        futuresContract: contract.name,
        settlementDate: day,
        price: rounded(spot * simulatedCarry(product.metal, days) * stray, product),
        volume: toUnits(traded, 0),
        openInterest: toUnits(traded * 2.2, 0),
        observedAtMs: atMs,
      };
    });
  });
};
