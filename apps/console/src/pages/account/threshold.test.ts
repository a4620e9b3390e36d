import { expect, it } from "vitest";
import { thresholdFault } from "./threshold.ts";

it.each(["above", "below", "moved"] as const)("refuses zero as a threshold of %s", (kind) => {
  expect(thresholdFault(kind, "0")).toBe("zero");
  expect(thresholdFault(kind, "0.00")).toBe("zero");
});

it("takes percentages from 0.01, exactly", () => {
  expect(thresholdFault("moved", "0.009999999")).toBe("too_little");
  expect(thresholdFault("moved", "0.01")).toBeNull();
  expect(thresholdFault("moved", "250")).toBeNull();
});

it("takes any price above zero", () => {
  expect(thresholdFault("above", "0.000000001")).toBeNull();
  expect(thresholdFault("below", "4000.5")).toBeNull();
});
