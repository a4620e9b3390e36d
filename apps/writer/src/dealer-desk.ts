/** Dealers' quotes: what each dealer asks and pays now, and a number for every change, per country. */
import type { DealersDocument } from "@assay/live";
import type { DealerQuote, DealerTick } from "@assay/pricing";

const productOf = ({ source, country, dealer, product, weight, weightUnit, karat }: DealerQuote): string =>
  JSON.stringify([country, source, dealer, product, karat, weight, weightUnit]);

const isSame = (left: DealerQuote | undefined, right: DealerQuote): boolean =>
  left !== undefined && left.sell === right.sell && left.buyback === right.buyback && left.currency === right.currency;

/** Turns quotes into numbered changes. */
export class DealerDesk {
  readonly #latest = new Map<string, DealerQuote>();
  readonly #newest = new Map<string, DealerTick>();

  /** Takes quotes in, oldest first; one that only repeats a dealer's last is no change. */
  take(quotes: readonly DealerQuote[]): DealerTick[] {
    return quotes.flatMap((quote) => {
      const product = productOf(quote);
      if (isSame(this.#latest.get(product), quote)) return [];
      this.#latest.set(product, quote);
      const tick = { ...quote, seq: (this.#newest.get(quote.country)?.seq ?? 0) + 1 };
      this.#newest.set(quote.country, tick);
      return [tick];
    });
  }

  /** Numbers on from what was published before, where that is further: numbers never go back. */
  goOnFrom(published: DealersDocument): void {
    for (const [country, tick] of Object.entries(published)) {
      if (tick.seq > (this.#newest.get(country)?.seq ?? 0)) this.#newest.set(country, tick);
    }
  }

  /** The last change of each country. */
  document(): DealersDocument {
    return Object.fromEntries(this.#newest);
  }
}
