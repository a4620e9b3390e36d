/** What bars have taken in since the last commit, so that it can be taken in once more when the stored bars turn out to be others. */
import { addVolume, type BarRow, bucketStart, compareDecimalText, type Instrument, type Tick } from "@assay/pricing";

/** What bars take in of a tick. */
export type GrowthTick = Pick<Tick, "instrument" | "seq" | "price" | "volume">;

/** A tick of a series, or a bar that a source reported. */
export type Growth =
  | { readonly kind: "tick"; readonly symbol: string; readonly tick: GrowthTick; readonly atMs: number }
  | { readonly kind: "bar"; readonly bar: BarRow };

type TickGrowth = Extract<Growth, { readonly kind: "tick" }>;

/** Entries from which on those that leave no trace in any bar are let go of, as while a store does not answer for hours. */
const WORTH_THINNING = 10_000;

/** Of the ticks of one minute: the first, the highest, the lowest and the last make the same bars as all of them. */
const thinned = (ticks: readonly TickGrowth[]): TickGrowth[] => {
  const [first] = ticks;
  const last = ticks.at(-1);
  if (!first || !last) return [];
  const extreme = (sign: number): TickGrowth =>
    ticks.reduce((best, each) => (compareDecimalText(each.tick.price, best.tick.price) * sign > 0 ? each : best), first);
  const kept = new Set([first, extreme(1), extreme(-1), last]);
  let volume: string | null = null;
  const result: TickGrowth[] = [];
  for (const each of ticks) {
    volume = addVolume(volume, each.tick.volume ?? null);
    if (!kept.has(each)) continue;
    result.push(volume === null ? each : { ...each, tick: { ...each.tick, volume } });
    volume = null;
  }
  return result;
};

/** Keeps them in order. */
export class GrowthJournal {
  #entries: Growth[] = [];
  #limit = WORTH_THINNING;

  /** Adds what was taken in. */
  add(growth: Growth): void {
    this.#entries.push(growth);
    if (this.#entries.length > this.#limit) this.#thin();
  }

  /** Forgets everything: it is committed. */
  clear(): void {
    this.#entries = [];
    this.#limit = WORTH_THINNING;
  }

  /** Forgets what a series took in of ticks from a number on: they were withdrawn. */
  forget(symbol: string, fromSeq: number): void {
    this.#entries = this.#entries.filter((each) => each.kind === "bar" || each.symbol !== symbol || each.tick.seq < fromSeq);
  }

  /** What is not stored yet, oldest first; the rest is forgotten. */
  keepAfter(storedSeqs: ReadonlyMap<Instrument, number>): readonly Growth[] {
    this.#entries = this.#entries.filter(
      (each) => each.kind === "bar" || each.tick.seq > (storedSeqs.get(each.tick.instrument) ?? 0),
    );
    return this.#entries;
  }

  #thin(): void {
    const minutes = new Map<string, TickGrowth[]>();
    const bars = new Map<string, Growth>();
    for (const each of this.#entries) {
      if (each.kind === "bar") bars.set(`${each.bar.symbol} ${each.bar.interval} ${each.bar.barStartMs}`, each);
      else {
        const name = `${each.symbol} ${bucketStart(each.atMs, "1m")}`;
        const ticks = minutes.get(name);
        if (ticks) ticks.push(each);
        else minutes.set(name, [each]);
      }
    }
    // Reported bars come first: of one series they replace what is forming, and what ticks say of it comes after.
    this.#entries = [...bars.values(), ...[...minutes.values()].flatMap(thinned).sort((a, b) => a.atMs - b.atMs)];
    this.#limit = Math.max(WORTH_THINNING, this.#entries.length * 2);
  }
}
