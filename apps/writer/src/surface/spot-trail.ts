/** Spot of the last minutes, for chains that are told late: a delayed chain belongs to the spot of its own time. */
import { type DecimalText, SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import type { Instrument } from "@assay/pricing";

/** Tells prices of the moment. */
export interface MomentPrices {
  /** USD per troy ounce; null while there is none. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null;
}

/** The instrument a metal's spot is. */
export const SPOT = { xau: "XAU-USD-SPOT", xag: "XAG-USD-SPOT" } as const;

const MINUTE_MS = 60_000;
/** Longer than any venue delays its quotes. */
const MINUTES = 30;

const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS);

/** A price a minute. */
export class SpotTrail {
  readonly #prices: MomentPrices;
  readonly #trails: Readonly<Record<SurfaceMetal, Map<number, DecimalText>>> = { xau: new Map(), xag: new Map() };

  constructor(prices: MomentPrices) {
    this.#prices = prices;
  }

  /** Notes the minute's price, where it is not noted yet. */
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
   * @param nowMs the moment; its price stands in for a time that was not seen
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
