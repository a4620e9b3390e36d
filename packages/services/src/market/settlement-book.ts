/** The newest settlements of each futures contract, and what stood at any recent instant. */
import { isBusinessDay, outranks, type SettlementRow, settlementKey } from "@assay/pricing";

/** Rows kept of a contract: a few weeks, and every correction of the last days. */
const ROWS_PER_CONTRACT = 40;

const inTimeOrder = (a: SettlementRow, b: SettlementRow): number =>
  a.settlementDate < b.settlementDate ? -1 : a.settlementDate > b.settlementDate ? 1 : a.observedAtMs - b.observedAtMs;

/** Settlements by contract. */
export class SettlementBook {
  readonly #rows = new Map<string, Map<string, SettlementRow>>();

  /** Takes in settlements, in any order and as often as they come; none of a day on which the exchange does not settle. */
  apply(rows: readonly SettlementRow[]): void {
    for (const row of rows) {
      if (!isBusinessDay(row.settlementDate)) continue;
      const known = this.#rows.get(row.futuresContract) ?? new Map<string, SettlementRow>();
      this.#rows.set(row.futuresContract, known);
      known.set(settlementKey(row), row);
      if (known.size <= ROWS_PER_CONTRACT * 2) continue;
      const kept = [...known.values()].sort(inTimeOrder).slice(-ROWS_PER_CONTRACT);
      this.#rows.set(row.futuresContract, new Map(kept.map((each) => [settlementKey(each), each])));
    }
  }

  /**
   * The newest settlement of a contract as it was known at an instant.
   * @returns null when none was
   */
  newestAt(futuresContract: string, atMs: number): SettlementRow | null {
    let newest: SettlementRow | null = null;
    for (const row of this.#rows.get(futuresContract)?.values() ?? []) {
      if (row.observedAtMs <= atMs && (newest === null || outranks(row, newest))) newest = row;
    }
    return newest;
  }
}
