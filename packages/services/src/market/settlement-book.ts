/** The newest settlements of each futures contract, and the one in effect at any recent instant. */
import type { FuturesSymbol } from "@assay/contract";
import {
  type CalendarDay,
  isBusinessDay,
  nearestSettlement,
  outranks,
  type SettlementRow,
  settlementKey,
  utcDay,
} from "@assay/pricing";

/** Rows kept per contract: a few weeks, and every correction of the last days. */
const ROWS_PER_CONTRACT = 40;

const inTimeOrder = (a: SettlementRow, b: SettlementRow): number =>
  a.settlementDate < b.settlementDate ? -1 : a.settlementDate > b.settlementDate ? 1 : a.observedAtMs - b.observedAtMs;

export class SettlementBook {
  readonly #rows = new Map<string, Map<string, SettlementRow>>();
  /** The day of each product's latest settlement. */
  readonly #latestMs = new Map<FuturesSymbol, number>();
  /** The front contract's settlement of a day, given everything known now. */
  readonly #fronts = new Map<FuturesSymbol, { readonly day: CalendarDay; readonly row: SettlementRow | null }>();

  /** Adds settlements, in any order and with repeats; days on which the exchange does not settle are skipped. */
  apply(rows: readonly SettlementRow[]): void {
    for (const row of rows) {
      if (!isBusinessDay(row.settlementDate)) continue;
      const known = this.#rows.get(row.futuresContract) ?? new Map<string, SettlementRow>();
      this.#rows.set(row.futuresContract, known);
      known.set(settlementKey(row), row);
      this.#latestMs.set(row.symbol, Math.max(row.observedAtMs, this.#latestMs.get(row.symbol) ?? row.observedAtMs));
      this.#fronts.delete(row.symbol);
      if (known.size <= ROWS_PER_CONTRACT * 2) continue;
      const kept = [...known.values()].sort(inTimeOrder).slice(-ROWS_PER_CONTRACT);
      this.#rows.set(row.futuresContract, new Map(kept.map((each) => [settlementKey(each), each])));
    }
  }

  /** Whether every settlement of a product was known by an instant. */
  isKnownBy(symbol: FuturesSymbol, atMs: number): boolean {
    return (this.#latestMs.get(symbol) ?? Number.NEGATIVE_INFINITY) <= atMs;
  }

  /**
   * The newest settlement of a contract as it was known at an instant.
   * @returns null when none was known
   */
  newestAt(futuresContract: string, atMs: number): SettlementRow | null {
    let newest: SettlementRow | null = null;
    for (const row of this.#rows.get(futuresContract)?.values() ?? []) {
      if (row.observedAtMs <= atMs && (newest === null || outranks(row, newest))) newest = row;
    }
    return newest;
  }

  /**
   * The newest settlement of the front contract as it was known at an instant.
   * @param afterMs older ones are ignored, which skips the search while futures prices arrive
   * @returns null when none was known, or none after that
   */
  nearestAt(symbol: FuturesSymbol, atMs: number, afterMs = Number.NEGATIVE_INFINITY): SettlementRow | null {
    const latestMs = this.#latestMs.get(symbol);
    if (latestMs === undefined || latestMs <= afterMs) return null;
    const day = utcDay(atMs);
    const isWhole = atMs >= latestMs;
    const known = isWhole ? this.#fronts.get(symbol) : undefined;
    if (known?.day === day) return known.row;
    const row = nearestSettlement(symbol, (name) => this.newestAt(name, atMs), atMs);
    if (isWhole) this.#fronts.set(symbol, { day, row });
    return row;
  }

  /** The settlement of the same contract that precedes the given one. */
  priorOf({ futuresContract, settlementDate }: SettlementRow, atMs: number): SettlementRow | null {
    let prior: SettlementRow | null = null;
    for (const row of this.#rows.get(futuresContract)?.values() ?? []) {
      const isEarlier = row.observedAtMs <= atMs && row.settlementDate < settlementDate;
      if (isEarlier && (prior === null || outranks(row, prior))) prior = row;
    }
    return prior;
  }
}
