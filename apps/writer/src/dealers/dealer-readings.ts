/** When each dealer's product was last read, for the document in `latest`. */
import { freshFor } from "@assay/feeds";
import { type DealersDocument, PRODUCT_GONE_AFTER_MS, type ProductReading } from "@assay/live";
import type { ProductQuote, SourceInfo } from "@assay/pricing";

/** Readings by country and product. */
export class DealerReadings {
  readonly #byCountry = new Map<string, Map<string, ProductReading>>();
  /** Whether there is something to publish. */
  isDirty = false;

  /**
   * Records that a product was read, changed or not. It stays fresh for the lifetime of its source's prices, but no longer than
   * the source may be silent.
   */
  note({ country, id, observedAtMs }: ProductQuote, fetchedAtMs: number, source: SourceInfo | undefined): void {
    const { freshForMs, intervalMs } = source ?? { freshForMs: 0, intervalMs: 0 };
    const freshUntilMs = Math.min(observedAtMs + freshForMs, fetchedAtMs + freshFor(intervalMs));
    this.#put(country, id, { fetchedAtMs, observedAtMs, freshUntilMs });
  }

  /** Restores what a previous writer published. */
  adopt(document: DealersDocument): void {
    for (const [country, products] of Object.entries(document)) {
      for (const [id, reading] of Object.entries(products)) this.#put(country, id, reading);
    }
  }

  /** All of them; those of products that are gone are dropped. */
  document(nowMs: number): DealersDocument {
    for (const products of this.#byCountry.values()) {
      for (const [id, { fetchedAtMs }] of products) if (nowMs - fetchedAtMs > PRODUCT_GONE_AFTER_MS) products.delete(id);
    }
    return Object.fromEntries([...this.#byCountry].map(([country, products]) => [country, Object.fromEntries(products)]));
  }

  #put(country: string, id: string, reading: ProductReading): void {
    const products = this.#byCountry.get(country) ?? new Map<string, ProductReading>();
    this.#byCountry.set(country, products);
    if (reading.fetchedAtMs < (products.get(id)?.fetchedAtMs ?? Number.NEGATIVE_INFINITY)) return;
    products.set(id, reading);
    this.isDirty = true;
  }
}
