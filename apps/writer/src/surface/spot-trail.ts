/** Spot of the last minutes, for delayed option chains: a chain is paired with the spot of its own time. */
import { type DecimalText, MINUTE_MS, SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import type { Instrument } from "@assay/pricing";

/** Returns current prices. */
export interface MomentPrices {
  /** USD per troy ounce; null when unknown. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null;
}

/** The instrument of a metal's spot price. */
export const SPOT = { xau: "XAU-USD-SPOT", xag: "XAG-USD-SPOT" } as const;

/** Longer than any venue's delay. */
const MINUTES = 30;

const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS);

/** One price per minute. */
export class SpotTrail {
  readonly #prices: MomentPrices;
  readonly #trails: Readonly<Record<SurfaceMetal, Map<number, DecimalText>>> = { xau: new Map(), xag: new Map() };

  constructor(prices: MomentPrices) {
    this.#prices = prices;
  }

  /** Records the minute's price, unless already recorded. */
  note(atMs: number): void {
    const minute = minuteOf(atMs);
    for (const metal of SURFACE_METALS) {
      const trail = this.#trails[metal];
      if (trail.has(minute)) continue;
      const price = this.#prices.priceAt(SPOT[metal], atMs);
      if (price !== null) trail.set(minute, price);
      for (const old of trail.keys()) if (old < minute - MINUTES) trail.delete(old);
    }
  }

  /**
   * Spot at an instant of the last half hour.
   * @param thenMs the instant
   * @param nowMs now; its price is used for a time without one
   */
  spotAt(metal: SurfaceMetal, thenMs: number, nowMs: number): DecimalText | null {
    const minute = minuteOf(thenMs);
    if (minute < minuteOf(nowMs)) {
      const seen = this.#trails[metal].get(minute) ?? this.#trails[metal].get(minute + 1);
      if (seen !== undefined) return seen;
    }
    return this.#prices.priceAt(SPOT[metal], nowMs);
  }
}
