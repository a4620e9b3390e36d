import { expect, test } from "vitest";
import { contract, streams } from "./index.ts";
import { keylessText, needsKey } from "./keyless.ts";
import type { Contract } from "./route.ts";
import { DEFAULT_CATALOG, overlayCatalog, TIER_NAMES, type TierName } from "./tiers.ts";

const tree: Contract = { ...contract, streams };
const closedTo = (tier: TierName): string[] =>
  Object.entries(tree).flatMap(([resource, routes]) =>
    Object.entries(routes).flatMap(([action, route]) => (needsKey(route, tier) ? [`${resource}.${action}`] : [])),
  );

const ACCOUNT = ["account.listKeys", "account.mintKey", "account.revokeKey", "account.usage"];
const ALERTS = ["list", "create", "get", "update", "delete"].map((action) => `alerts.${action}`);
const ENDPOINTS = ["list", "create", "delete", "test", "rotate"].map((action) => `endpoints.${action}`);
const OWN = [...ACCOUNT, ...ALERTS, ...ENDPOINTS, "deliveries.list", "deliveries.redeliver"];
const SURFACE = ["surface.get", "surface.expiries", "signals.arbitrage"];
const PRO = ["ratios.list", "ratios.latest", "settlements.list"];
const STREAM = ["streams.prices"];

test("callers without a key reach what their tier does, and never an account", () => {
  const closed: Record<TierName, string[]> = {
    free: ["downloads.link", ...PRO, "physical.list", "physical.get", ...SURFACE, ...OWN, ...STREAM],
    basic: [...PRO, "physical.list", "physical.get", ...SURFACE, ...OWN, ...STREAM],
    physical: [...PRO, ...SURFACE, ...OWN, ...STREAM],
    pro: OWN,
    realtime_pro: OWN,
  };
  for (const tier of TIER_NAMES) expect(closedTo(tier), tier).toEqual(closed[tier]);
});

test("what they have is said with the delay and the limits of the service", () => {
  expect(keylessText(DEFAULT_CATALOG)).toBe(
    "Without a key: the tier Free, prices 15 minutes late; 10 requests a minute and 100 an hour for each address.",
  );
  expect(keylessText(overlayCatalog({ keyless: { per_hour: 900 } }, "physical"))).toBe(
    "Without a key: the tier Physical, prices live; 60 requests a minute and 900 an hour for each address. Account routes need a key.",
  );
  expect(keylessText(overlayCatalog({}, "realtime_pro"))).toContain(", and 10 streams at once.");
});
