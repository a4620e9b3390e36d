/** Prices in currencies, on a service that names the rate of each. */
import { contract, DEFAULT_CATALOG } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { Trial } from "../trial.ts";
import type { Sent } from "../wire/exchange.ts";
import { Service } from "../wire/service.ts";
import { fieldWorld } from "../world.ts";
import { settle } from "./claim.ts";
import { currencyClaims } from "./currency.ts";

const RATES: Readonly<Record<string, string>> = { EUR: "0.86", JPY: "155.1", IDR: "16650.55" };
/** 4003.195 in dollars: 3442.7477, 620895.5445 and 66655399.00725 */
const PRICES: Readonly<Record<string, string>> = { USD: "4003.20", EUR: "3442.75", JPY: "620895.54", IDR: "66655399.01" };

/** What each claim says of a service with these prices. */
const tried = async (prices: Readonly<Record<string, string>>, rates: Readonly<Record<string, string>>) => {
  const answer = async (sent: Sent) => {
    const currency = /XAU-(...)-SPOT/.exec(sent.url)?.[1] ?? "";
    const json = { price: prices[currency], fx_rate: rates[currency], computed_at: "2026-11-20T14:00:00Z" };
    const headers = new Headers({ "content-type": "application/json" });
    return { sent, status: 200, headers, text: JSON.stringify(json), json, sentAtMs: 0, readAtMs: 0 };
  };
  const service = new Service({ baseUrl: "http://service", transport: answer });
  const options = { contract, catalog: DEFAULT_CATALOG, service, seed: 1, runs: 1, allowKeyRotation: false, clockAheadMs: 0 };
  const world = fieldWorld({ ...options, freshForMs: new Map(), bearers: [] });
  const trial = new Trial("spot.get", contract.spot.get, world);
  const results = [];
  for (const claim of currencyClaims(contract.spot.get, world)) results.push(await settle(trial, claim));
  return results.map(({ status, failures }) => failures[0]?.what ?? status);
};

describe("a price in a currency", () => {
  test("is a price in dollars, before it was rounded, times the rate that the answer names", async () => {
    expect(await tried(PRICES, RATES)).toEqual(["passed", "passed", "passed"]);
  });

  test("is another where the rate has moved since, and where it was rounded twice or otherwise", async () => {
    const fault = expect.stringMatching(/^price is \S+, and 4003.2 × \S+ makes \S+ to \S+$/);
    expect(await tried(PRICES, { ...RATES, EUR: "0.8601" })).toEqual([fault, "passed", "passed"]);
    expect(await tried({ ...PRICES, JPY: "620897.11" }, RATES)).toEqual(["passed", fault, "passed"]);
    expect(await tried({ ...PRICES, IDR: "66655565.52" }, RATES)).toEqual(["passed", "passed", fault]);
  });

  test("is no matter of this claim where the answer names no rate", async () => {
    expect(await tried(PRICES, {})).toEqual(["passed", "passed", "passed"]);
  });
});
