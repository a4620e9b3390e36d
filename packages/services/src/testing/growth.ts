/** A minimal writer: ticks in, the bars of every interval out, in the form of events. */
import { type BarSymbol, INTERVALS, type Interval } from "@assay/contract";
import { applyTick, type BarRow, closeDue } from "@assay/pricing";

export interface TimedPrice {
  readonly atMs: number;
  readonly price: string;
}

export class Growth {
  readonly #symbol: BarSymbol;
  readonly #forming = new Map<Interval, BarRow>();

  constructor(symbol: BarSymbol) {
    this.#symbol = symbol;
  }

  /** The bars a tick changed, closed ones before forming ones. */
  take({ atMs, price }: TimedPrice): BarRow[] {
    return INTERVALS.flatMap((interval) => {
      const series = { symbol: this.#symbol, interval, sourceId: "composed" };
      const due = this.close(interval, atMs);
      const { closed, forming } = applyTick(this.#forming.get(interval) ?? null, { atMs, price }, series);
      this.#forming.set(interval, forming);
      return [...due, ...(closed ? [closed] : []), forming];
    });
  }

  closeAll(atMs: number): BarRow[] {
    return INTERVALS.flatMap((interval) => this.close(interval, atMs));
  }

  private close(interval: Interval, atMs: number): BarRow[] {
    const closed = closeDue(this.#forming.get(interval) ?? null, atMs);
    if (closed) this.#forming.delete(interval);
    return closed ? [closed] : [];
  }
}
