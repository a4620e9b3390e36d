/** Prices in currencies, on a service that names the rate of each. */
import { contract, DEFAULT_CATALOG } from "@assay/contract";
import { expect, test } from "vitest";
import { Trial } from "../trial.ts";
import type { Sent } from "../wire/exchange.ts";
import { Service } from "../wire/service.ts";
import { fieldWorld } from "../world.ts";
import { settle } from "./claim.ts";
import { currencyClaims } from "./currency.ts";

/** Before it was rounded: 4003.195. */
const DOLLARS = { price: "4003.20" };

/** What the claim says of a service with one price in every currency but the dollar. */
const tried = async (row: { readonly price: string; readonly fx_rate?: string }) => {
  const answer = async (sent: Sent) => {
    const json = { ...(sent.url.includes("XAU-USD-SPOT") ? DOLLARS : row), computed_at: "2026-11-20T14:00:00Z" };
    const headers = new Headers({ "content-type": "application/json" });
    return { sent, status: 200, headers, text: JSON.stringify(json), json, sentAtMs: 0, readAtMs: 0 };
  };
  const service = new Service({ baseUrl: "http://service", transport: answer });
  const options = { contract, catalog: DEFAULT_CATALOG, service, seed: 1, runs: 1, allowKeyRotation: false, clockAheadMs: 0 };
  const world = fieldWorld({ ...options, freshForMs: new Map(), bearers: [] });
  const [claim] = currencyClaims(contract.spot.get, world);
  if (!claim) throw new Error("spot has such a claim");
  const { status, failures } = await settle(new Trial("spot.get", contract.spot.get, world), claim);
  return failures[0]?.what ?? status;
};

test("a price in a currency is a price in dollars, before it was rounded, times the rate that the answer names", async () => {
  // 3442.7477, 620895.5445 and 66655399.00725
  for (const [price, rate] of [
    ["3442.75", "0.86"],
    ["620895.54", "155.1"],
    ["66655399.01", "16650.55"],
  ] as const)
    expect(await tried({ price, fx_rate: rate }), rate).toBe("passed");
});

test("it is another where the rate has moved since, and where it was rounded otherwise", async () => {
  for (const [price, rate] of [
    ["3442.75", "0.8601"],
    ["620897.11", "155.1"],
    ["66655399.0", "16650.56"],
  ] as const)
    expect(await tried({ price, fx_rate: rate }), rate).toMatch(/^price is \S+, and 4003.2 × \S+ makes \S+ to \S+$/);
});

test("where the answer names no rate there is nothing to judge", async () => {
  expect(await tried({ price: "1.00" })).toBe("passed");
});
