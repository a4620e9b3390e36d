/** The rates that stand beside ticks: a new number whenever they change, so that a tick names them. */
import { type FxRate, type FxState, fxRate, type RateSet, rateIn, rateTable, tableHoldsUntilMs } from "@assay/pricing";

/** As long as ticks are judged, late callers' alerts included. */
const KEEP_MS = 30 * 60_000;

const contentOf = ({ origins, rates }: Pick<RateSet, "origins" | "rates">): string => JSON.stringify([origins, rates]);

/** Numbers the rates of a term, after those of the terms before. */
export class RateKeeper {
  /** Those that recent ticks name, oldest first. */
  #sets: readonly RateSet[];
  /** What the newest was last compared with, and until when the comparison holds. */
  #compared: { readonly fx: FxState; readonly fromMs: number; readonly untilMs: number } | null = null;

  /** @param stored those of recent ticks, oldest first, the newest that was ever stored among them */
  constructor(stored: readonly RateSet[]) {
    this.#sets = stored;
  }

  /** The rates of a moment, and whether no tick has named them yet. */
  at(fx: FxState, atMs: number): { readonly set: RateSet; readonly isNew: boolean } {
    const newest = this.#sets.at(-1);
    const compared = this.#compared;
    if (newest && compared?.fx === fx && atMs >= compared.fromMs && atMs <= compared.untilMs)
      return { set: newest, isNew: false };
    const table = rateTable(fx, atMs);
    this.#compared = { fx, fromMs: atMs, untilMs: tableHoldsUntilMs(fx, atMs) };
    if (newest && contentOf(newest) === contentOf(table)) return { set: newest, isNew: false };
    const set: RateSet = { id: (newest?.id ?? 0) + 1, beganAtMs: atMs, ...table };
    // What began before the last one that is too old has no recent tick.
    const kept = this.#sets.findLastIndex(({ beganAtMs }) => beganAtMs < atMs - KEEP_MS);
    this.#sets = [...this.#sets.slice(Math.max(0, kept)), set];
    return { set, isNew: true };
  }

  /**
   * A currency's rate beside a tick.
   * @param atMs the instant at which its freshness is judged
   * @returns for a tick of an earlier version's writer, the rate that is known of that instant
   */
  beside(
    fx: FxState,
    tick: { readonly rateSet?: number; readonly computedAtMs: number },
    currency: string,
    atMs: number,
  ): FxRate | null {
    const set = this.#sets.findLast(({ id }) => id === tick.rateSet);
    return set ? rateIn(set, currency, tick.computedAtMs, atMs) : fxRate(fx, currency, atMs);
  }
}
