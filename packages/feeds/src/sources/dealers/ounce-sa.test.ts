/** Ounce's prices: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { ounceSa, parseOunceSa } from "./ounce-sa.ts";

const BODY = fixture("ounce-sa.json.txt");

describe("Ounce", () => {
  it("sells a gram of each karat and publishes no buyback", () => {
    expect(parseOunceSa(BODY, NOW_MS).map(({ quote: { id, karat, sell, buyback } }) => [id, karat, sell, buyback])).toEqual([
      ["ounce-sa:24k-gram", 24, "484.90", null],
      ["ounce-sa:22k-gram", 22, "444.50", null],
      ["ounce-sa:21k-gram", 21, "424.30", null],
      ["ounce-sa:18k-gram", 18, "363.70", null],
    ]);
    expect(parseOunceSa(BODY, NOW_MS)[0]?.quote).toMatchObject({ currency: "SAR", weightUnit: "gram", observedAtMs: NOW_MS });
  });

  it("is requested as its own page does", async () => {
    expect(dealersAmong(await ounceSa.fetch(prepared({ "/wp-json/wgp/v1/prices?lang=ar": BODY })))).toHaveLength(4);
  });

  it("passes the gate, and not when its unit or a karat slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "3.75" };
    const found = parseOunceSa(BODY, NOW_MS);
    expect(gated(found, moment)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(new Set(gated(slipped(found, 1), moment))).toEqual(new Set(["unit_slip"]));
    expect(gated(parseOunceSa(BODY.replace('"484.90"', '"15082.1"'), NOW_MS), moment)[0]).toBe("unit_slip");
    expect(gated(parseOunceSa(BODY.replace('"24k":"484.90"', '"24k":"363.70"'), NOW_MS), moment)[0]).toBe("premium_out_of_range");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the publisher", '{"success":false,"prices":{}}', /success: the publisher reports an error/],
    ["an empty list", '{"success":true,"prices":[]}', /prices/],
    ["a missing karat", BODY.replace('"21k"', '"21"'), /prices.21k: must be text/],
    ["a price as a number", BODY.replace('"484.90"', "484.9"), /prices.24k: must be text/],
    ["an empty price", BODY.replace('"363.70"', '""'), /prices.18k: must be a positive figure/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseOunceSa(body, NOW_MS)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/saudi_ounce_prices.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parseOunceSa(body, NOW_MS);
    expect(found.map(({ quote }) => quote.sell)).toEqual(["504.10", "462.20", "441.20", "378.10"]);
    expect(gated(found, { usdPerOzt: "4170", rate: "3.75" })).toEqual(["ok", "ok", "ok", "ok"]);
  });
});
