/** Unit tests with the service mocked, REST and streams alike: no network, no waiting. */
import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import { mockAssay, mockStream } from "@assay/sdk/msw";
import { Assay, InvalidApiKeyError } from "@assay/sdk/stream";
import { setupServer } from "msw/node";
import { waitToSell, worthOf } from "./gold-desk.mjs";

const baseUrl = "https://assay.test";
const server = setupServer();
before(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  server.resetHandlers();
  mock.restoreAll();
});
after(() => server.close());

/** @param {import("@assay/sdk/msw").MockStream} stream */
const clientOf = (stream) => {
  mock.method(Math, "random", () => 0); // the pause before another attempt
  return new Assay({ baseUrl, apiKey: "test", logLevel: "off", WebSocket: stream.WebSocket });
};

test("a piece is worth its weight, exactly", async () => {
  const karats = {
    price_gram_24k: "118.5000",
    price_gram_22k: "108.6250",
    price_gram_21k: "103.6875",
    price_gram_20k: "98.7500",
  };
  const others = { price_gram_18k: "88.8750", price_gram_16k: "79.0000", price_gram_14k: "69.1250", price_gram_10k: "49.3750" };
  const answer = { currency: "EUR", timestamp: "2026-11-20T12:00:00Z", ...karats, ...others };
  server.use(...mockAssay({ baseUrl, carat: { get: () => answer } }));
  assert.equal(await worthOf(new Assay({ baseUrl }), "2.35"), "EUR 208.86");
});

test("no price is given without a spot price", async () => {
  server.use(...mockAssay({ baseUrl, carat: { get: ({ fail }) => fail("spot_unavailable") } }));
  assert.equal(await worthOf(new Assay({ baseUrl, maxRetries: 0 }), "2.35"), "no price today");
});

// With a limit: a program that ended early never follows what comes next.
test("gold is sold above the limit, over a lost connection and a gap", { timeout: 10_000 }, async () => {
  const stream = mockStream();
  const sold = waitToSell(clientOf(stream), "4000");
  await stream.tick("XAU-USD-SPOT", "999.50"); // as text it is above 4000
  await stream.close(1012);
  await stream.gap("XAU-USD-SPOT", 3);
  await stream.tick("XAU-USD-SPOT", "4000.10");
  assert.deepEqual(await sold, { price: "4000.10", unseen: 3 });
});

test("a bad key ends the wait", async () => {
  const stream = mockStream();
  stream.refuse("unauthenticated");
  await assert.rejects(waitToSell(clientOf(stream), "4000"), InvalidApiKeyError);
});
