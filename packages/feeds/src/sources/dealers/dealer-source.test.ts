/** Shared parts of dealer feeds: the quote, and the feed around one request. */
import { describe, expect, it } from "vitest";
import { NOW_MS, prepared } from "../../testing/samples.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "a-shop",
  country: "AE",
  dealer: "A Shop",
  kind: "dealer",
  taxIncluded: false,
  url: "https://example.com/prices",
};
const gram = { id: "gram", product: "Bar", form: "bar", karat: 24, fineness: "999.9", weight: "1", weightUnit: "gram" } as const;

describe("a dealer's quote", () => {
  it("is named by source and product, and is in the country's currency", () => {
    expect(dealerObservation(source, gram, { sell: "477.250", buyback: null, observedAtMs: NOW_MS })).toEqual({
      kind: "dealer",
      source: "a-shop",
      quote: {
        id: "a-shop:gram",
        source: "a-shop",
        country: "AE",
        dealer: "A Shop",
        kind: "dealer",
        metal: "XAU",
        product: "Bar",
        form: "bar",
        karat: 24,
        fineness: "999.9",
        weight: "1",
        weightUnit: "gram",
        currency: "AED",
        sell: "477.250",
        buyback: null,
        taxIncluded: false,
        sourceUrl: "https://example.com/prices",
        observedAtMs: NOW_MS,
      },
      observedAtMs: NOW_MS,
    });
  });

  it("comes from one request, with the time of the answer at hand", async () => {
    const feed = dealerFeed({
      source,
      license: "undocumented",
      publisher: "A Shop LLC",
      terms: "None.",
      intervalMs: 300_000,
      baseUrl: "https://example.com",
      request: { path: "/prices", expect: "text" },
      parse: (sell, observedAtMs) => [dealerObservation(source, gram, { sell, buyback: null, observedAtMs })],
    });
    const context = prepared({ "/prices": "477.25" });
    expect(await feed.fetch(context)).toMatchObject([{ quote: { sell: "477.25" }, observedAtMs: NOW_MS }]);
    expect(context.asked).toEqual(["/prices"]);
    expect(feed.info).toMatchObject({ key: "a-shop", role: "informational", required: false, moves: false, freshForMs: 900_000 });
    expect(feed.sources).toEqual([feed.info]);
  });
});
