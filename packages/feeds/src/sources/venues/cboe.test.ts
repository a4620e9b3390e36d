/** Cboe's delayed chains: valid and broken payloads, and a captured one. */
import { describe, expect, it } from "vitest";
import type { FeedError } from "../../feed/error.ts";
import type { FeedRequest } from "../../feed/feed.ts";
import { listening, unheard } from "../../testing/partial-errors.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { cboe, parseCboe, readOccSymbol } from "./cboe.ts";

const CHAIN = fixture("cboe-gld.json.txt");
const GLD = { symbol: "GLD", metal: "xau" } as const;
/** Friday, a quarter past ten in New York. */
const RECEIVED_MS = Date.parse("2026-11-20T15:20:00Z");
const TRADED_MS = Date.parse("2026-11-20T15:04:58Z");
const DECEMBER_MS = Date.parse("2026-12-18T21:00:00Z");

const read = (text: string, partial: (error: FeedError) => void = unheard) => parseCboe(text, GLD, RECEIVED_MS, partial);

describe("an option's symbol", () => {
  it.each([
    ["GLD260925C00400000", { root: "GLD", expiresAtMs: Date.parse("2026-09-25T20:00:00Z"), right: "call", strike: "400" }],
    ["SLV261218P00048500", { root: "SLV", expiresAtMs: DECEMBER_MS, right: "put", strike: "48.5" }],
    ["GLD1261218P00000005", { root: "GLD1", expiresAtMs: DECEMBER_MS, right: "put", strike: "0.005" }],
  ])("%s gives root, close in New York, right and exact strike", (symbol, expected) => {
    expect(readOccSymbol(symbol)).toEqual(expected);
  });

  it.each(["", "GLD", "GLD260931C00400000", "GLD261318C00400000", "GLD260925X00400000", "GLD260925C00000000", "GLD260925C400"])(
    "refuses %j",
    (symbol) => {
      expect(() => readOccSymbol(symbol)).toThrow(/must be a symbol such as/);
    },
  );
});

describe("a chain", () => {
  it("is American, with the fund's own price and last trade; missing quotes are no sides, volume is in shares", () => {
    expect(read(CHAIN)).toEqual({
      kind: "options",
      source: "cboe",
      observedAtMs: TRADED_MS,
      chain: {
        venue: "cboe",
        metal: "xau",
        style: "american",
        underlying: "GLD",
        underlyingUsd: "367.04",
        retrievedAtMs: TRADED_MS,
        expiries: [
          {
            expiresAtMs: DECEMBER_MS,
            quotes: [
              { right: "call", strike: "360", bid: "11.20", ask: "11.45", volume: "98700" },
              { right: "put", strike: "360", bid: "4.10", ask: "4.20", volume: "0" },
              { right: "call", strike: "372.5", bid: "4.35", ask: "4.50", volume: "1200" },
              { right: "put", strike: "372", bid: "9.6", ask: "9.85", volume: "1200" },
              { right: "call", strike: "450", bid: null, ask: "0.02", volume: "300" },
              { right: "put", strike: "300", bid: null, ask: "0.03", volume: "100" },
            ],
          },
          {
            expiresAtMs: Date.parse("2027-01-15T21:00:00Z"),
            // The same option of the adjusted root has another deliverable.
            quotes: [{ right: "call", strike: "370", bid: "8.0", ask: "8.25", volume: "1200" }],
          },
        ],
      },
    });
  });

  it.each([
    ["is missing", '"last_trade_time":"2026-11-20T10:04:58",'],
    ["is of another form", '"last_trade_time":"Nov 20 10:04",'],
    ["is in the future", '"last_trade_time":"2026-11-20T10:21:00",'],
  ])("is as old as the delay when the fund's last trade %s", (_what, to) => {
    const text = CHAIN.replace('"last_trade_time":"2026-11-20T10:04:58",', _what === "is missing" ? "" : to);
    expect(read(text).observedAtMs).toBe(RECEIVED_MS - 15 * 60_000);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["another fund's chain", CHAIN.replace('"symbol":"GLD","sec', '"symbol":"SLV","sec'), /symbol: must be GLD/],
    ["a chain without options", CHAIN.replace(/"options":\[[\s\S]*\]/, '"options":[]'), /must not be empty/],
    ["a chain of another root", CHAIN.replaceAll('"option":"GLD', '"option":"GLD9').replace("GLD91", "GLD9"), /option/],
    ["no price of the fund", CHAIN.replace("367.04", "0"), /current_price: must be a positive figure/],
  ])("refuses %s", (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it.each([
    ["a price as text", '"bid":11.20', '"bid":"11.20"', /^option 1 of 8: unexpected bid: must be a number$/],
    ["a negative price", '"ask":11.45', '"ask":-1', /ask: must be a positive figure/],
    ["no bid at all", '"bid":11.20,', "", /bid/],
    ["a symbol of another form", "GLD261218C00360000", "GLD 261218 C 360", /such as GLD260925C00400000/],
  ])("leaves one option with %s out and reports it", (_what, from, to, message) => {
    const { heard, partial } = listening();
    expect(read(CHAIN.replace(from, to), partial).chain.expiries[0]?.quotes).toHaveLength(5);
    expect(heard).toMatchObject([{ kind: "payload", message: expect.stringMatching(message) }]);
  });

  it("reads a captured payload", (test) => {
    const text = captured("payloads/cboe_gld_options.json");
    if (text === null) return test.skip("no ../shared/data beside the repository");
    const { chain } = parseCboe(text, GLD, Date.parse("2026-09-23T14:20:00Z"), unheard);
    expect(chain).toEqual({
      venue: "cboe",
      metal: "xau",
      style: "american",
      underlying: "GLD",
      underlyingUsd: "400.07",
      retrievedAtMs: Date.parse("2026-09-23T14:04:58Z"),
      expiries: [
        {
          expiresAtMs: Date.parse("2026-09-25T20:00:00Z"),
          quotes: [{ right: "call", strike: "400", bid: "2.11", ask: "2.16", volume: "98700" }],
        },
      ],
    });
  });
});

describe("the feed", () => {
  const PATH = "/api/global/delayed_quotes/options/GLD.json";

  it("requests both funds with room for their size, and continues with one", async () => {
    const context = prepared({ [PATH]: CHAIN }, RECEIVED_MS);
    const sent: FeedRequest[] = [];
    const found = await cboe.fetch({
      ...context,
      get: (request) => {
        sent.push(request);
        return context.get(request);
      },
    });
    expect(found).toMatchObject([{ kind: "options", chain: { underlying: "GLD" } }]);
    expect(sent).toMatchObject([{ path: PATH }, { path: PATH.replace("GLD", "SLV") }]);
    expect(sent.every(({ maxBytes = 0 }) => maxBytes > 8 * 1024 * 1024)).toBe(true);
    expect(context.partials).toMatchObject([{ message: expect.stringMatching(/^SLV: no answer/) }]);
  });

  it.each([
    ["2026-11-20T14:44:59Z", false, "a moment before the first delayed quotes"],
    ["2026-11-20T14:45:00Z", true, "with the first delayed quotes"],
    ["2026-11-20T21:29:59Z", true, "with the last ones"],
    ["2026-11-20T21:30:00Z", false, "after them"],
    ["2026-11-21T17:00:00Z", false, "on a Saturday"],
    ["2026-11-26T17:00:00Z", false, "on Thanksgiving"],
    ["2026-11-27T18:29:59Z", true, "with the last ones of an early close"],
    ["2026-11-27T18:30:00Z", false, "after an early close"],
    ["2026-07-01T13:45:00Z", true, "by New York's summer time"],
  ])("at %s requests: %s, %s", async (at, asks) => {
    const context = prepared({ [PATH]: CHAIN }, Date.parse(at));
    await cboe.fetch(context);
    expect(context.asked.length > 0).toBe(asks);
  });
});
