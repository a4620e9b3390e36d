/** Changes of dealers' quotes, and their numbers. */
import { asProduct, type DealerTick, type ProductQuote } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { DealerChanges } from "./dealer-ledger.ts";

const quote = (change: Partial<ProductQuote> = {}): ProductQuote => ({
  ...asProduct({
    source: "replay-dealer",
    country: "AE",
    dealer: "Souk",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weightUnit: "gram",
    currency: "AED",
    sell: "477.25",
    buyback: "470.50",
    observedAtMs: 1_000,
  }),
  ...change,
});
const take = (desk: DealerChanges, quotes: readonly ProductQuote[]): DealerTick[] =>
  quotes.flatMap((each) => desk.take(each, 5_000) ?? []);
const seqs = (ticks: readonly DealerTick[]) => ticks.map(({ country, seq }) => `${country} ${seq}`);

describe("changes to dealers' quotes", () => {
  it("are numbered per country, and repetitions are not", () => {
    const changes = take(new DealerChanges(), [
      quote(),
      quote({ observedAtMs: 2_000 }),
      quote({ sell: "478.00", observedAtMs: 2_000 }),
      quote({ country: "IN", currency: "INR" }),
      quote({ id: "another", product: "10 tola bar" }),
      quote({ sell: "478.00", buyback: null, observedAtMs: 2_000 }),
    ]);
    expect(seqs(changes)).toEqual(["AE 1", "AE 2", "IN 1", "AE 3", "AE 4"]);
  });

  it("include another name, tax or address of a product", () => {
    const desk = new DealerChanges();
    take(desk, [quote()]);
    const changes = take(desk, [
      quote({ product: "24K" }),
      quote({ product: "24K", taxIncluded: true }),
      quote({ sourceUrl: "x" }),
    ]);
    expect(seqs(changes)).toEqual(["AE 2", "AE 3", "AE 4"]);
  });

  it("continue from what is stored, and never repeat it", () => {
    const stored = take(new DealerChanges(), [quote(), quote({ sell: "478.00" }), quote({ country: "VN", currency: "VND" })]);
    const desk = new DealerChanges(stored.slice(1));
    expect(take(desk, [quote({ sell: "478.00", observedAtMs: 9_000 }), quote({ country: "VN", currency: "VND" })])).toEqual([]);
    expect(seqs(take(desk, [quote({ sell: "480.00" }), quote({ country: "IN", sell: "1" })]))).toEqual(["AE 3", "IN 1"]);
  });

  it("leave out what a dealer said before the known quote", () => {
    const desk = new DealerChanges();
    expect(seqs(take(desk, [quote({ observedAtMs: 2_000 }), quote({ sell: "1", observedAtMs: 1_999 })]))).toEqual(["AE 1"]);
  });
});
