/** Records what bars have taken in since the last commit, so that it can be reapplied when the stored bars have changed. */
import { addVolume, type BarRow, bucketStart, compareDecimalText, type Instrument, type Tick } from "@assay/pricing";

/** What bars use of a tick. */
export type GrowthTick = Pick<Tick, "instrument" | "seq" | "price" | "volume">;

/** A tick of a series, or a bar reported by a source. */
export type Growth =
  | { readonly kind: "tick"; readonly symbol: string; readonly tick: GrowthTick; readonly atMs: number }
  | { readonly kind: "bar"; readonly bar: BarRow };

type TickGrowth = Extract<Growth, { readonly kind: "tick" }>;

/** Above this many entries, those without effect on any bar are dropped, as when the store is down for hours. */
const WORTH_THINNING = 10_000;

/** Of one minute's ticks, the first, highest, lowest and last build the same bars as all of them. */
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

/** Keeps the entries in order. */
export class GrowthJournal {
  #entries: Growth[] = [];
  #limit = WORTH_THINNING;

  /** Adds an entry. */
  add(growth: Growth): void {
    this.#entries.push(growth);
    if (this.#entries.length > this.#limit) this.#thin();
  }

  /** Clears it: everything is committed. */
  clear(): void {
    this.#entries = [];
    this.#limit = WORTH_THINNING;
  }

  /** Drops a series' ticks from a number on: they were withdrawn. */
  forget(symbol: string, fromSeq: number): void {
    this.#entries = this.#entries.filter((each) => each.kind === "bar" || each.symbol !== symbol || each.tick.seq < fromSeq);
  }

  /** What is not stored yet, oldest first; the rest is dropped. */
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
    // Reported bars first: they replace the forming bar of a series, and ticks come on top.
    this.#entries = [...bars.values(), ...[...minutes.values()].flatMap(thinned).sort((a, b) => a.atMs - b.atMs)];
    this.#limit = Math.max(WORTH_THINNING, this.#entries.length * 2);
  }
}
