import { contract, type Route, streams, TIER_NAMES, TIER_REACH, tierAtLeast } from "@assay/contract";
import { expect, it } from "vitest";
import { DAILY_DEPTH_DAYS, hasIntraday, includesTier, OPENS_WITH } from "./tiers.ts";

it("requests what the contract says a tier may have", () => {
  for (const tier of TIER_NAMES) {
    expect(DAILY_DEPTH_DAYS[tier]).toBe(TIER_REACH[tier].dailyDepthDays);
    expect(hasIntraday(tier)).toBe(TIER_REACH[tier].intraday);
  }
});

it("orders tiers as the contract does", () => {
  for (const has of TIER_NAMES)
    for (const needed of TIER_NAMES) expect(includesTier(has, needed), `${has} for ${needed}`).toBe(tierAtLeast(has, needed));
});

it("names the tiers of the contract", () => {
  const routes: Record<string, Record<string, Route>> = { ...contract, stream: { sse: streams.prices } };
  for (const [name, tier] of Object.entries(OPENS_WITH)) {
    const [resource = "", action = ""] = name.split(".");
    const { access } = routes[resource]?.[action] ?? {};
    expect({ name, auth: access?.auth, tier: access?.tier ?? "free" }).toEqual({ name, auth: "required", tier });
  }
});
