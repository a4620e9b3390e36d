/** Changes of dealers' quotes, and their numbers. */
import type { DealerQuote } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { DealerDesk } from "./dealer-desk.ts";

const quote = (change: Partial<DealerQuote> = {}): DealerQuote => ({
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
  ...change,
});
const seqs = (ticks: readonly { country: string; seq: number }[]) => ticks.map(({ country, seq }) => `${country} ${seq}`);

describe("the dealer desk", () => {
  it("numbers changes per country, and repetitions not at all", () => {
    const desk = new DealerDesk();
    const told = desk.take([
      quote(),
      quote({ observedAtMs: 2_000 }),
      quote({ sell: "478.00" }),
      quote({ country: "IN", currency: "INR" }),
      quote({ product: "10 tola bar" }),
      quote({ sell: "478.00", buyback: null }),
    ]);
    expect(seqs(told)).toEqual(["AE 1", "AE 2", "IN 1", "AE 3", "AE 4"]);
  });

  it("numbers the same past the same way, so that numbers survive a restart", () => {
    const past = [quote(), quote({ sell: "478.00" }), quote({ country: "VN", currency: "VND" })];
    const [one, other] = [new DealerDesk(), new DealerDesk()];
    expect(one.take(past)).toEqual(other.take(past));
    expect(one.document()).toEqual(other.document());
  });

  it("goes on from what was published before, and never goes back", () => {
    const desk = new DealerDesk();
    desk.take([quote(), quote({ country: "IN" })]);
    desk.goOnFrom({ AE: { ...quote(), seq: 40 }, IN: { ...quote({ country: "IN" }), seq: 0 } });
    expect(seqs(desk.take([quote({ sell: "480.00" }), quote({ country: "IN", sell: "1" })]))).toEqual(["AE 41", "IN 2"]);
  });
});
