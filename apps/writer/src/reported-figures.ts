/** Ready-made figures of sources, so that one that only repeats what it said before is not written and told again. */
import { type BarObservation, type SettlementObservation, settlementKey } from "@assay/pricing";

type Reported = BarObservation | SettlementObservation;

/** Names kept at most; beyond that the oldest are forgotten, and a repetition is written once more, which harms nothing. */
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

/** What each source said last of each thing. */
export class ReportedFigures {
  readonly #last = new Map<string, string>();

  /** Whether a reading says anything its source did not say last. */
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
