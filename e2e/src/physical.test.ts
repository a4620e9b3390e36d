/** Dealers of the simulated market as users see them: twelve countries over REST. */
import { contract, PHYSICAL_COUNTRIES } from "@assay/contract";
import { beforeAll, expect, test, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import type { TierKeys } from "./harness/files.ts";
import type { Service } from "./harness/service.ts";
import { sharedService } from "./harness/shared-service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let service: Service;
let keys: TierKeys;

beforeAll(async () => {
  ({ service, keys } = await sharedService());
});

test("every country has quotes at once, each with a plausible premium in its own currency and units", async () => {
  const { countries } = await read(service.url, contract.physical.list, {}, { key: keys.physical });
  expect(countries.map(({ country }) => country)).toEqual([...PHYSICAL_COUNTRIES]);
  for (const { country, currency, sources, quotes, is_stale, last_fetched_at } of countries) {
    expect([sources, is_stale], country).toEqual([1, false]);
    const answer = await read(service.url, contract.physical.get, { country: country.toLowerCase() }, { key: keys.physical });
    expect(answer).toMatchObject({ country, currency, errors: [] });
    expect(answer.quotes.length, country).toBe(quotes);
    expect(last_fetched_at).not.toBeNull();
    for (const quote of answer.quotes) {
      const perGram = Number(quote.sell_price) / (Number(quote.weight_grams) * Number(quote.fineness));
      expect(Number(quote.price_per_fine_gram) / perGram).toBeCloseTo(1, 5);
      const overSpot = (perGram / Number(answer.spot_reference?.price_local_per_gram) - 1) * 10_000;
      expect(quote.premium_over_spot_bps, quote.id).toBeCloseTo(overSpot, 0);
      expect(overSpot, quote.id).toBeGreaterThan(-300);
      expect(overSpot, quote.id).toBeLessThan(3_000);
    }
  }
});

test("keyless callers and tiers below are refused, whatever the country", async () => {
  expect(await ask(service.url, "/v1/physical/AE")).toMatchObject({ status: 401, json: { error: "unauthenticated" } });
  expect(await ask(service.url, "/v1/physical/xx", { key: keys.free })).toMatchObject({
    status: 403,
    json: { error: "plan_gated" },
  });
  expect(await ask(service.url, "/v1/physical/xx", { key: keys.pro })).toMatchObject({
    status: 404,
    json: { error: "not_found" },
  });
});
