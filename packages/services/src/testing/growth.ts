/** A writer in small: ticks in, the bars of every interval out, as events tell of them. */
import { type BarSymbol, INTERVALS, type Interval } from "@assay/contract";
import { applyTick, type BarRow, closeDue } from "@assay/pricing";

/** One price at an instant. */
export interface Beat {
  readonly atMs: number;
  readonly price: string;
}

/** Grows bars of one series. */
export class Growth {
  readonly #symbol: BarSymbol;
  readonly #forming = new Map<Interval, BarRow>();

  constructor(symbol: BarSymbol) {
    this.#symbol = symbol;
  }

  /** The bars a beat changed, those it closed before those that form. */
  take({ atMs, price }: Beat): BarRow[] {
    return INTERVALS.flatMap((interval) => {
      const series = { symbol: this.#symbol, interval, sourceId: "composed" };
      const due = this.close(interval, atMs);
      const { closed, forming } = applyTick(this.#forming.get(interval) ?? null, { atMs, price }, series);
      this.#forming.set(interval, forming);
      return [...due, ...(closed ? [closed] : []), forming];
    });
  }

  /** The bars that time alone closed. */
  closeAll(atMs: number): BarRow[] {
    return INTERVALS.flatMap((interval) => this.close(interval, atMs));
  }

  private close(interval: Interval, atMs: number): BarRow[] {
    const closed = closeDue(this.#forming.get(interval) ?? null, atMs);
    if (closed) this.#forming.delete(interval);
    return closed ? [closed] : [];
  }
}
