import type { Wire } from "@assay/sdk/trpc";
import { expect, it } from "vitest";
import { cheapestOf, spanOf } from "./premiums.ts";

const quote = (
  id: string,
  form: "bar" | "coin" | "reference",
  premium: number | null,
  more: Partial<Wire.DealerQuote> = {},
): Wire.DealerQuote =>
  ({ id, form, premium_over_spot_bps: premium, buyback_premium_bps: -20, is_stale: false, ...more }) as Wire.DealerQuote; // what is read of it

it("takes the lowest premium of a bar, or of anything when there is no bar", () => {
  const coins = [quote("a", "coin", 10), quote("b", "coin", 5)];
  expect(cheapestOf({ quotes: coins })?.quote.id).toBe("b");
  expect(cheapestOf({ quotes: [...coins, quote("c", "bar", 90), quote("d", "bar", 80)] })?.quote.id).toBe("d");
});

it("never takes a reference price, which nobody sells at, however low it is", () => {
  expect(cheapestOf({ quotes: [quote("a", "reference", 1), quote("b", "coin", 90)] })?.quote.id).toBe("b");
  expect(cheapestOf({ quotes: [quote("a", "reference", 1)] })).toBeNull();
});

it("leaves out quotes that are stale or have no premium", () => {
  expect(cheapestOf({ quotes: [quote("a", "bar", 1, { is_stale: true }), quote("b", "bar", null)] })).toBeNull();
});

it("spans every bar, and spot", () => {
  const [from, to] = spanOf([cheapestOf({ quotes: [quote("a", "bar", 300)] }), null]);
  expect(from).toBeLessThan(-20);
  expect(to).toBeGreaterThan(300);
});
