/** Spot of the last minutes. */
import { MINUTE_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { SpotTrail } from "./venue-books.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");

/** Gold that costs as many dollars as minutes have passed since noon, and silver without a price. */
const walked = (minutes: number): SpotTrail => {
  const trail = new SpotTrail({
    priceAt: (instrument, atMs) => (instrument === "XAU-USD-SPOT" ? `${4_000 + (atMs - NOON_MS) / MINUTE_MS}` : null),
  });
  for (let minute = 0; minute <= minutes; minute += 1) trail.note(NOON_MS + minute * MINUTE_MS);
  return trail;
};
const at = (minute: number): number => NOON_MS + minute * MINUTE_MS;

describe("the trail of spot", () => {
  it("has the price of a minute that is over, and the current one for the present", () => {
    expect(walked(20).spotAt("xau", at(5) + 30_000, at(20))).toBe("4005");
    expect(walked(20).spotAt("xau", at(20), at(20))).toBe("4020");
    expect(walked(20).spotAt("xau", at(21), at(20))).toBe("4020");
  });

  it("has the current price for a time it has not seen", () => {
    expect(walked(0).spotAt("xau", at(-15), at(0))).toBe("4000");
    expect(walked(60).spotAt("xau", at(10), at(60))).toBe("4060");
  });

  it("is empty for a metal without a price", () => {
    expect(walked(3).spotAt("xag", at(1), at(3))).toBeNull();
  });
});
