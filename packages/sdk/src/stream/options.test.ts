import { expect, test } from "vitest";
import { Assay } from "./index.ts";
import type { SubscribeOptions } from "./options.ts";

const assay = new Assay({ apiKey: "assay_live_k", baseUrl: "http://127.0.0.1:1", logLevel: "off" });
const GOLD = "XAU-USD-SPOT";

test.each([
  [undefined, "symbols and channels are empty"],
  [{}, "symbols and channels are empty"],
  [{ symbols: GOLD }, "symbols must be a list"],
  [{ symbols: [GOLD], channels: "physical:AE" }, "channels must be a list"],
  [{ symbols: ["gold"] }, '"gold" is not available over websocket; use XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, physical:AE'],
  [{ symbols: ["HG-USD-SPOT"], transport: "sse" }, '"HG-USD-SPOT" is not available over sse; use XAU-USD-SPOT, XAG-USD-SPOT'],
  [{ symbols: ["XRH-EUR-SPOT"] }, '"XRH-EUR-SPOT" is not available over websocket'],
  [{ symbols: ["XRH-USD-FUTURES"], transport: "sse" }, '"XRH-USD-FUTURES" is not available over sse'],
  [{ symbols: [], channels: ["physical:XX"] }, '"physical:XX" is not available over websocket'],
  [{ symbols: [GOLD], channels: ["physical:AE"], transport: "sse" }, '"physical:AE" is not available over sse'],
  [{ symbols: [GOLD], transport: "carrier pigeon" }, 'transport must be "websocket" or "sse"'],
  [{ symbols: [GOLD], fillGaps: true }, 'fillGaps must be "bars"'],
  [{ symbols: [GOLD], fillGap: "bars" }, "fillGap is not an option; use symbols, channels, transport, "],
  [{ symbols: [GOLD], signal: new AbortController() }, "signal must be an AbortSignal"],
  [{ symbols: [GOLD], maxReconnects: -1 }, "maxReconnects must be a whole number, 0 or more"],
  [{ symbols: [GOLD], maxReconnects: Number.NaN }, "maxReconnects must be a whole number"],
  [{ symbols: [GOLD], maxQueued: 0 }, "maxQueued must be a whole number, 1 or more"],
  [{ symbols: [GOLD], resume: { [GOLD]: -4 } }, "resume of XAU-USD-SPOT must be a whole number, 0 or more"],
  [
    { symbols: [GOLD], resume: { [GOLD]: { seq: 4, computedAt: "noon" } } },
    "computedAt in resume of XAU-USD-SPOT must be a Date",
  ],
])("%j is refused with a readable message", (options, words) => {
  // Tests values the types do not allow.
  expect(() => assay.stream.subscribe(options as SubscribeOptions)).toThrow(words);
});

test("an unknown name cannot be added later either", () => {
  const subscription = assay.stream.subscribe({ symbols: ["XAG-USD-SPOT"], transport: "sse" });
  expect(() => subscription.add(["HG-USD-SPOT"])).toThrow(TypeError);
  expect(subscription.names).toEqual(["XAG-USD-SPOT"]);
});

test.each(["websocket", "sse"] as const)(
  "over %s a symbol that only the service may know is left to the service",
  (transport) => {
    const subscription = assay.stream.subscribe({ symbols: ["XRH-USD-SPOT"], transport });
    subscription.add(["XPT-USD-SPOT"]);
    expect(subscription.names).toEqual(["XRH-USD-SPOT", "XPT-USD-SPOT"]);
  },
);
