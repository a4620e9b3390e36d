/** A market as a judge of alerts sees it, with rates and beliefs to choose. */
import { type DecimalText, MINUTE_MS } from "@assay/contract";
import type { JudgeMarket } from "../alerts/judge.ts";
import type { JudgedTick } from "../alerts/tick-memory.ts";
import type { BeliefState } from "../belief/belief-state.ts";
import type { Instrument } from "../conventions/symbols.ts";
import type { FxRate } from "../fx/cross.ts";
import { dec, fraction } from "../number/exact.ts";

/** How long a price is fresh. */
export const TICK_FRESH_MS = MINUTE_MS;

/** A tick that is fresh for a minute. */
export const priceTick = (instrument: Instrument, seq: number, price: DecimalText, atMs: number): JudgedTick => ({
  instrument,
  seq,
  price,
  basis: "primary",
  computedAtMs: atMs,
  freshUntilMs: atMs + TICK_FRESH_MS,
});

/** A market that is open, with live rates. */
export class JudgedMarket implements JudgeMarket {
  readonly rates = new Map<string, DecimalText>([["USD", "1"]]);
  readonly beliefs = new Map<Instrument, BeliefState>();
  role: FxRate["role"] = "live";
  open = true;
  openSinceMs = 0;

  rateBeside(_tick: JudgedTick, currency: string, atMs: number): FxRate | null {
    const rate = this.rates.get(currency);
    if (rate === undefined) return null;
    const role = currency === "USD" ? "identity" : this.role;
    return { ...fraction(rate), rate: dec(rate), source: "test", role, observedAtMs: atMs, freshUntilMs: atMs, isStale: false };
  }

  isOpen(atMs: number): boolean {
    return this.open && atMs >= this.openSinceMs;
  }

  beliefOf(instrument: Instrument): BeliefState | undefined {
    return this.beliefs.get(instrument);
  }
}
