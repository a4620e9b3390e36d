import { expect, it } from "vitest";
import { dayChange } from "./day-change.ts";

it("has the price's decimals, and percent with two", () => {
  expect(dayChange("4003.20", "3990.90")).toEqual({ change: "12.30", percent: "0.31" });
  expect(dayChange("52.1840", "53.0000")).toEqual({ change: "-0.8160", percent: "-1.54" });
  expect(dayChange("4003.20", "4003.20")).toEqual({ change: "0.00", percent: "0.00" });
});
