/** The physical routes over a real socket: updates from the bus and the store. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { writeDealerQuotes } from "@assay/db";
import { DEALERS_DOCUMENT_KEY } from "@assay/live";
import { FRIDAY_MS, makeDealerTick, makeRates, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Country = OutputOf<AssayContract["physical"]["get"]>;
type Index = OutputOf<AssayContract["physical"]["list"]>;

let app: TestApp;
let key: TestKey;
beforeAll(async () => {
  app = await startTestApp({
    before: (store) => writeDealerQuotes(store, { token: 1, holder: "test-writer" }, [makeDealerTick(1, { sell: "470.00" })]),
  });
  key = await app.key("physical");
  await app.publish({ ticks: [makeTick(1)], fx: [makeRates()] });
});
afterAll(() => app.close());

const ask = <T = Country>(path: string) => app.ask<T>(path, { key: key.key });
const emirates = async () => (await ask("/v1/physical/AE")).json;

describe("quotes", () => {
  test("stored before the start are there, beside spot in the local currency", async () => {
    const { spot_reference, quotes, country } = await emirates();
    expect(country).toBe("AE");
    expect(spot_reference).toMatchObject({
      computed_at: "2026-11-20T14:00:00Z",
      price_usd: "4003.20",
      fx_source: "peg",
      price_local_per_gram: "472.6723",
    });
    // 470.00 / 0.999 over 472.6723 is 0.9953.
    expect(quotes).toMatchObject([{ sell_price: "470.00", price_per_fine_gram: "470.4705", premium_over_spot_bps: -46.6 }]);
  });

  test("follow what the bus publishes", async () => {
    await app.publishDealers(makeDealerTick(2, { sell: "477.25" }));
    expect((await emirates()).quotes.map(({ sell_price }) => sell_price)).toEqual(["477.25"]);
  });

  test("that were stored but not published arrive with the next that are", async () => {
    await writeDealerQuotes(app.store, { token: 1, holder: "test-writer" }, [
      makeDealerTick(3, { id: "souk:coin", sell: "480" }),
    ]);
    await app.publishDealers(makeDealerTick(4, { sell: "478.00" }));
    await expect.poll(async () => (await emirates()).quotes.map(({ sell_price }) => sell_price)).toEqual(["478.00", "480"]);
  });

  test("are as fresh as their last reading, changed or not", async () => {
    const reading = { fetchedAtMs: FRIDAY_MS + 600_000, observedAtMs: FRIDAY_MS, freshUntilMs: FRIDAY_MS + 780_000 };
    const document = { AE: { [makeDealerTick(1).id]: reading } };
    await app.live.latest.put(DEALERS_DOCUMENT_KEY, JSON.stringify(document), { token: 1, atMs: FRIDAY_MS });
    app.clock.set(FRIDAY_MS + 780_000);
    const quoteOf = async () => (await emirates()).quotes.find(({ sell_price }) => sell_price === "478.00");
    expect(await quoteOf()).toMatchObject({ fetched_at: "2026-11-20T14:10:00Z", is_stale: false });
    const { countries } = (await ask<Index>("/v1/physical")).json;
    expect(countries[0]).toMatchObject({ country: "AE", sources: 1, quotes: 2, is_stale: false });
    expect(countries[1]).toMatchObject({ country: "CN", quotes: 0, last_fetched_at: null, is_stale: true });
    app.clock.set(FRIDAY_MS + 781_000);
    expect(await quoteOf()).toMatchObject({ is_stale: true });
  });
});
