/** Dealers of the simulated market as users see them: twelve countries over REST, and their changes over WebSocket. */
import { contract, PHYSICAL_COUNTRIES, type PhysicalCountry, physicalChannel } from "@assay/contract";
import { beforeAll, expect, test, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import { Follower, untilFollowing } from "./harness/follower.ts";
import type { Service } from "./harness/service.ts";
import { sharedService } from "./harness/shared-service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let service: Service;
let keys: TierKeys;

beforeAll(async () => {
  ({ service, keys } = await sharedService());
});

const quotesOf = (country: PhysicalCountry) => read(service.url, contract.physical.get, { country }, { key: keys.realtime_pro });

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

test("a channel sends its last change at once and every later one by number, and REST has what it sent", async () => {
  const channels = PHYSICAL_COUNTRIES.map(physicalChannel);
  const follower = new Follower({ urls: [service.url], key: keys.realtime_pro, symbols: [], channels });
  await untilFollowing([follower]);
  await eventually(
    "a snapshot of each",
    () => follower.at.size,
    (size) => size === channels.length,
  );
  // China sets new prices every minute.
  const first = follower.at.get("physical:CN") ?? 0;
  await eventually(
    "China changes",
    () => follower.at.get("physical:CN") ?? 0,
    (seq) => seq >= first + 3,
    { withinMs: 100_000 },
  );
  expect(follower.seen.faults).toEqual([]);
  expect(follower.seen.gaps).toEqual([]);
  await eventually(
    "REST has what was told",
    async () => {
      const seq = follower.at.get("physical:CN") ?? 0;
      const frame = follower.ticks.get(`physical:CN:${seq}`);
      const { quotes } = await quotesOf("CN");
      return frame?.type === "physical"
        ? quotes.filter((quote) => quote.product === frame.quote.product).map((quote) => [quote, frame.quote])
        : [];
    },
    (pairs) =>
      pairs.length === 1 &&
      pairs.every(([quote, told]) => quote?.sell_price === told?.sell_price && quote?.quoted_at === told?.quoted_at),
  );
  follower.close();
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
