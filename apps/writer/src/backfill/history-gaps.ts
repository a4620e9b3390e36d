/** The gaps of every series' past: in memory for the writer, in the store for its successors and for those who serve. */
import { readHistoryGaps, type Store, type WriterToken, writeHistoryGaps } from "@assay/db";
import type { HistoryGap } from "@assay/pricing";

const isSame = (before: readonly HistoryGap[], after: readonly HistoryGap[]): boolean =>
  before.length === after.length &&
  before.every((gap, index) => gap.fromMs === after[index]?.fromMs && gap.untilMs === after[index].untilMs);

/** What is missing, as this term knows it. */
export class Gaps {
  readonly #store: Store;
  readonly #writer: WriterToken;
  #all: readonly HistoryGap[];

  private constructor(store: Store, writer: WriterToken, all: readonly HistoryGap[]) {
    this.#store = store;
    this.#writer = writer;
    this.#all = all;
  }

  /** Reads what earlier terms left. */
  static async read(store: Store, writer: WriterToken): Promise<Gaps> {
    return new Gaps(store, writer, await readHistoryGaps(store));
  }

  get all(): readonly HistoryGap[] {
    return this.#all;
  }

  /** The gaps of one series, of its daily bars or of those below a day, oldest first. */
  of(symbol: string, bars: HistoryGap["bars"]): readonly HistoryGap[] {
    return this.#all.filter((gap) => gap.symbol === symbol && gap.bars === bars);
  }

  /**
   * Replaces those gaps. The store is written first, and only when something changes.
   * @throws StaleTokenError when a newer writer has written since
   */
  async set(symbol: string, bars: HistoryGap["bars"], gaps: readonly HistoryGap[]): Promise<void> {
    if (isSame(this.of(symbol, bars), gaps)) return;
    const ofSymbol = [...this.#all.filter((gap) => gap.symbol === symbol && gap.bars !== bars), ...gaps];
    await writeHistoryGaps(this.#store, this.#writer, symbol, ofSymbol);
    this.#all = [...this.#all.filter((gap) => gap.symbol !== symbol), ...ofSymbol];
  }
}
