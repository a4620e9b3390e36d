/** Dealers' quotes: the current price of each product, and a number for every change, per country. */
import type { DealerTick, ProductQuote } from "@assay/pricing";

const keyOf = ({ country, id }: ProductQuote): string => `${country} ${id}`;

/** Every field except the instants and the number, which differ between repeats. */
const FIELDS = [
  "source",
  "dealer",
  "kind",
  "metal",
  "product",
  "form",
  "karat",
  "fineness",
  "weight",
  "weightUnit",
  "currency",
  "sell",
  "buyback",
  "taxIncluded",
  "sourceUrl",
] as const satisfies readonly (keyof ProductQuote)[];

const isSame = (left: ProductQuote, right: ProductQuote): boolean => FIELDS.every((field) => left[field] === right[field]);

/** Turns quotes into numbered changes. */
export class DealerChanges {
  readonly #latest = new Map<string, ProductQuote>();
  readonly #seqs = new Map<string, number>();

  /** @param newest the newest stored quote of every product */
  constructor(newest: readonly DealerTick[] = []) {
    for (const tick of newest) {
      this.#latest.set(keyOf(tick), tick);
      this.#seqs.set(tick.country, Math.max(tick.seq, this.#seqs.get(tick.country) ?? 0));
    }
  }

  /**
   * Applies a quote. One that only repeats the dealer's last is not a change, nor is an older one.
   * @returns the change with the next number of its country; null when nothing changed
   */
  take(quote: ProductQuote, fetchedAtMs: number): DealerTick | null {
    const key = keyOf(quote);
    const before = this.#latest.get(key);
    if (before && (isSame(before, quote) || quote.observedAtMs < before.observedAtMs)) return null;
    this.#latest.set(key, quote);
    const seq = (this.#seqs.get(quote.country) ?? 0) + 1;
    this.#seqs.set(quote.country, seq);
    return { ...quote, seq, fetchedAtMs };
  }
}
