/** Records what bars have taken in since the last commit, so that it can be reapplied when the stored bars have changed. */
import { addVolume, type BarRow, bucketStart, compareDecimalText, type Instrument, type Tick } from "@assay/pricing";

export type GrowthTick = Pick<Tick, "instrument" | "seq" | "price" | "volume">;

/** A tick of a series, or a bar reported by a source. */
export type Growth =
  | { readonly kind: "tick"; readonly symbol: string; readonly tick: GrowthTick; readonly atMs: number }
  | { readonly kind: "bar"; readonly bar: BarRow };

type TickGrowth = Extract<Growth, { readonly kind: "tick" }>;

/** Above this many entries, those without effect on any bar are dropped, as when the store is down for hours. */
const WORTH_THINNING = 10_000;

/** Of a series' consecutive ticks in one minute, the first, highest, lowest and last build the same bars as all of them. */
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

const nameOf = ({ symbol, interval, barStartMs }: BarRow): string => `${symbol} ${interval} ${barStartMs}`;

const isSameMinute = (a: TickGrowth | undefined, b: TickGrowth): boolean =>
  a === undefined || bucketStart(a.atMs, "1m") === bucketStart(b.atMs, "1m");

/** The entries of one series, without the ticks that have no effect. */
const thinnedSeries = (entries: readonly Growth[]): Growth[] => {
  const result: Growth[] = [];
  let ticks: TickGrowth[] = [];
  const end = (): void => {
    result.push(...thinned(ticks));
    ticks = [];
  };
  for (const each of entries) {
    if (each.kind === "bar" || !isSameMinute(ticks[0], each)) end();
    if (each.kind === "bar") result.push(each);
    else ticks.push(each);
  }
  end();
  return result;
};

/** Keeps the entries of each series in order. */
export class GrowthJournal {
  #entries: Growth[] = [];
  #limit = WORTH_THINNING;

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

  /** What is not stored yet, in the order of each series; the rest is dropped. */
  keepAfter(storedSeqs: ReadonlyMap<Instrument, number>): readonly Growth[] {
    this.#entries = this.#entries.filter(
      (each) => each.kind === "bar" || each.tick.seq > (storedSeqs.get(each.tick.instrument) ?? 0),
    );
    return this.#entries;
  }

  /** Every series' entries keep their order: a tick before a reported bar must not follow it. */
  #thin(): void {
    const last = new Map<string, Growth>();
    for (const each of this.#entries) if (each.kind === "bar") last.set(nameOf(each.bar), each);
    const bySymbol = new Map<string, Growth[]>();
    for (const each of this.#entries) {
      if (each.kind === "bar" && last.get(nameOf(each.bar)) !== each) continue;
      const symbol = each.kind === "bar" ? each.bar.symbol : each.symbol;
      const entries = bySymbol.get(symbol) ?? [];
      bySymbol.set(symbol, entries);
      entries.push(each);
    }
    this.#entries = [...bySymbol.values()].flatMap(thinnedSeries);
    this.#limit = Math.max(WORTH_THINNING, this.#entries.length * 2);
  }
}
