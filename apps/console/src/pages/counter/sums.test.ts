import { describe, expect, it } from "vitest";
import { sumsOf } from "./sums.ts";

const sold = (total: string) => ({ side: "sell", total }) as const;
const bought = (total: string) => ({ side: "buy", total }) as const;

describe("what changes hands", () => {
  it("is what the customer pays for what the shop sells, exact to the last digit", () => {
    expect(sumsOf({ items: ["0.10", "0.20", "429.50"].map(sold) })).toEqual({
      ...{ sold: "429.80", bought: null, due: "429.80", payer: "customer" },
    });
  });

  it("is less what the shop pays for what it buys, and the shop's to pay when that is more", () => {
    expect(sumsOf({ items: [sold("429.50"), bought("500.05")] })).toEqual({
      ...{ sold: "429.50", bought: "500.05", due: "70.55", payer: "shop" },
    });
    expect(sumsOf({ items: [bought("429.50"), sold("500.05")] })).toEqual({
      ...{ sold: "500.05", bought: "429.50", due: "70.55", payer: "customer" },
    });
  });

  it("leaves out pieces without a price, and is unknown without any", () => {
    const error = { code: "plan_gated", message: "", path: "items[0].metal" } as const;
    expect(sumsOf({ items: [{ error }, sold("12")] })?.due).toBe("12");
    expect(sumsOf({ items: [{ error }] })).toBeNull();
  });
});
