/** When the market is open, computed once per span between two changes. */
import { type MarketState, marketStateAt } from "@assay/pricing";

/** A market that never closes. */
const ALWAYS_OPEN: MarketState = { open: true, sinceMs: Number.NEGATIVE_INFINITY, nextChangeMs: Number.POSITIVE_INFINITY };

export class MarketHours {
  readonly #keepsHours: boolean;
  #now: MarketState = { open: false, sinceMs: 0, nextChangeMs: 0 };

  /** @param keepsHours whether the market ever closes: false for a simulated market that never does */
  constructor(keepsHours: boolean) {
    this.#keepsHours = keepsHours;
  }

  /** The state at about now, which stays at hand. */
  at(atMs: number): MarketState {
    if (!this.#keepsHours) return ALWAYS_OPEN;
    if (atMs < this.#now.sinceMs || atMs >= this.#now.nextChangeMs) this.#now = marketStateAt(atMs);
    return this.#now;
  }

  /** The state at another instant. */
  past(atMs: number): MarketState {
    return this.#keepsHours ? marketStateAt(atMs) : ALWAYS_OPEN;
  }

  /** When it last closed, for an instant at which it is closed; null while it is open. */
  closedSinceMs(atMs: number): number | null {
    const { open, sinceMs } = this.at(atMs);
    return open ? null : sinceMs;
  }

  /** When it next opens or closes; null when it never does. */
  nextChangeMs(atMs: number): number | null {
    return this.#keepsHours ? this.at(atMs).nextChangeMs : null;
  }
}
