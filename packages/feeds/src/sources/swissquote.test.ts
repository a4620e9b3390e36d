/** Swissquote: valid, broken and captured payloads. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, prepared } from "../testing/samples.ts";
import { parseSwissquote, swissquote } from "./swissquote.ts";

const BODY = fixture("swissquote.json.txt");
const platform = (ts: number, ...profiles: [string, string, string][]) =>
  `{"topo":{"platform":"x","server":"y"},"spreadProfilePrices":[${profiles
    .map(([name, bid, ask]) => `{"spreadProfile":"${name}","bid":${bid},"ask":${ask}}`)
    .join()}],"ts":${ts}}`;

describe("swissquote", () => {
  it("takes the tightest profile of the freshest platform by name, and the exact middle of it", () => {
    expect(parseSwissquote(BODY, "XAU-USD-SPOT")).toEqual({
      kind: "spot",
      source: "swissquote",
      instrument: "XAU-USD-SPOT",
      price: "4003.0805",
      bid: "4002.828",
      ask: "4003.333",
      observedAtMs: 1795175981075,
    });
  });

  it("prefers freshness over tightness", () => {
    const body = `[${platform(1795175980000, ["elite", "48.10", "48.11"])},${platform(1795175980001, ["standard", "48.00", "48.30"])}]`;
    expect(parseSwissquote(body, "XAG-USD-SPOT")).toMatchObject({ price: "48.15", bid: "48.00", ask: "48.30" });
  });

  it("ignores unknown profiles", () => {
    const body = `[${platform(1795175980000, ["vip", "48.10", "48.10"], ["Prime", "48.00", "48.20"])}]`;
    expect(parseSwissquote(body, "XAG-USD-SPOT")).toMatchObject({ bid: "48.00", ask: "48.20" });
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty set", "[]", /no platform/],
    ["a platform without profiles", `[${platform(1795175980000)}]`, /no platform/],
    ["only unknown profiles", `[${platform(1795175980000, ["vip", "1", "2"])}]`, /no platform/],
    ["a bid as text", BODY.replace("4002.828", '"4002.828"'), /bid: must be a number/],
    ["a missing ask", BODY.replace(',"ask":4003.333', ""), /ask/],
    ["a null time", BODY.replace("1795175981075", "null"), /ts/],
    ["a time in seconds", BODY.replace("1795175981075", "17951759"), /ts/],
    ["an absurd bid", BODY.replace("4002.828", "99999999999999999"), /bid: must be a positive figure/],
    ["an object", "{}", /unexpected body/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseSwissquote(body, "XAU-USD-SPOT")).toThrow(message);
  });

  it("requests gold and silver in dollars", async () => {
    const path = "/public-quotes/bboquotes/instrument";
    const context = prepared({
      [`${path}/XAU/USD`]: BODY,
      [`${path}/XAG/USD`]: `[${platform(1795175980000, ["elite", "48.1", "48.2"])}]`,
    });
    const found = await swissquote.fetch(context);
    expect(found).toMatchObject([{ instrument: "XAU-USD-SPOT" }, { instrument: "XAG-USD-SPOT", price: "48.15" }]);
    expect(context.partials).toEqual([]);
  });

  it("reads captured payloads", (test) => {
    for (const name of ["swissquote_xauusd.json", "swissquote_bbo_XAUUSD_20260818.first_platform.json"]) {
      const body = captured(`payloads/${name}`);
      if (body === null) return test.skip("no ../shared/data beside the repository");
      expect(parseSwissquote(body, "XAU-USD-SPOT")).toMatchObject({ price: "4389.38", bid: "4389.128", ask: "4389.632" });
    }
  });
});
