import { TIER_NAMES, TIER_REACH } from "@assay/contract";
import { expect, it } from "vitest";
import { DAILY_DEPTH_DAYS, hasIntraday } from "./depth.ts";

it("requests what the contract says a tier may have", () => {
  for (const tier of TIER_NAMES) {
    expect(DAILY_DEPTH_DAYS[tier]).toBe(TIER_REACH[tier].dailyDepthDays);
    expect(hasIntraday(tier)).toBe(TIER_REACH[tier].intraday);
  }
});
