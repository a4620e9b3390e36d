/** Figures reported by sources, remembered so that repeats are not written and published again. */
import { type BarObservation, type SettlementObservation, settlementKey } from "@assay/pricing";

type Reported = BarObservation | SettlementObservation;

/** The most names kept; beyond that the oldest are dropped, and a repeat is written once more, which is harmless. */
const MAX_NAMES = 50_000;

const nameOf = (reported: Reported): string =>
  reported.kind === "bar"
    ? `${reported.source} ${reported.symbol} ${reported.interval} ${reported.barStartMs}`
    : settlementKey(reported);

const figuresOf = (reported: Reported): string => {
  if (reported.kind === "settlement") {
    const { price, volume, openInterest } = reported;
    return `${price} ${volume} ${openInterest}`;
  }
  const { open, high, low, close, volume } = reported;
  return `${open} ${high} ${low} ${close} ${volume}`;
};

/** The last figure of each source and name. */
export class ReportedFigures {
  readonly #last = new Map<string, string>();

  /** Whether a reading differs from its source's last. */
  isNew(reported: Reported): boolean {
    const name = nameOf(reported);
    const figures = figuresOf(reported);
    if (this.#last.get(name) === figures) return false;
    this.#last.delete(name);
    this.#last.set(name, figures);
    if (this.#last.size > MAX_NAMES)
      for (const oldest of [...this.#last.keys()].slice(0, MAX_NAMES / 2)) this.#last.delete(oldest);
    return true;
  }
}
