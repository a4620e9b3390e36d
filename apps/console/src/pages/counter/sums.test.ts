import type { Wire } from "@assay/sdk/trpc";
import { describe, expect, it } from "vitest";
import { sumsOf } from "./sums.ts";

const NOTHING = { metal_value: "0.00", margin: "0.00", charges: "0.00", tax: "0.00", total: "0.00" };
const bill = (items: Wire.Bill["items"], sold: string, bought: string, due: string): Pick<Wire.Bill, "items" | "totals"> => ({
  items,
  totals: {
    ...{ metal_value: "0.00", making: "0.00", tax: "0.00", total: "0.00", due },
    sell: { ...NOTHING, total: sold },
    buy: { ...NOTHING, total: bought },
  },
});
const soldPiece = { side: "sell", total: "429.80" } as const;
const boughtPiece = { side: "buy", total: "500.05" } as const;
const error = { code: "plan_gated", message: "", path: "items[0].metal" } as const;

describe("what changes hands", () => {
  it("is the bill's due, without its sign, from whoever owes it", () => {
    expect(sumsOf(bill([soldPiece], "429.80", "0.00", "429.80"))).toEqual({
      ...{ sold: "429.80", bought: null, due: "429.80", payer: "customer" },
    });
    expect(sumsOf(bill([soldPiece, boughtPiece], "429.80", "500.05", "-70.25"))).toEqual({
      ...{ sold: "429.80", bought: "500.05", due: "70.25", payer: "shop" },
    });
  });

  it("is unknown when no piece has a price", () => {
    expect(sumsOf(bill([{ error }], "0.00", "0.00", "0.00"))).toBeNull();
  });
});
