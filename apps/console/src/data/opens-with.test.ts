import { contract, type Route, streams } from "@assay/contract";
import { expect, it } from "vitest";
import { OPENS_WITH } from "./opens-with.ts";

it("names the tiers of the contract", () => {
  const routes: Record<string, Record<string, Route>> = { ...contract, stream: { sse: streams.prices } };
  for (const [name, tier] of Object.entries(OPENS_WITH)) {
    const [resource = "", action = ""] = name.split(".");
    const { access } = routes[resource]?.[action] ?? {};
    expect({ name, auth: access?.auth, tier: access?.tier ?? "free" }).toEqual({ name, auth: "required", tier });
  }
});
