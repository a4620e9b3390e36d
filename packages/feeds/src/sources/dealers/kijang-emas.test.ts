/** Kijang Emas: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { kijangEmas, parseKijangEmas } from "./kijang-emas.ts";

const BODY = fixture("kijang-emas.json.txt");

describe("Kijang Emas", () => {
  it("is sold at the bank's selling price, in three sizes", () => {
    expect(parseKijangEmas(BODY).map(({ quote: { id, weight, sell, buyback } }) => [id, weight, sell, buyback])).toEqual([
      ["kijang-emas:one-oz", "1", "17230", "16540"],
      ["kijang-emas:half-oz", "0.5", "8790", "8270"],
      ["kijang-emas:quarter-oz", "0.25", "4480", "4135"],
    ]);
    expect(parseKijangEmas(BODY)[0]?.quote).toMatchObject({ currency: "MYR", form: "coin", weightUnit: "oz" });
  });

  it("has the time of publication on its day, and the day's beginning when that is another day", () => {
    expect(parseKijangEmas(BODY)[0]?.observedAtMs).toBe(Date.parse("2026-11-20T01:00:00Z"));
    const later = BODY.replace("2026-11-20 09:00:00", "2026-11-22 00:05:00");
    expect(parseKijangEmas(later)[0]?.observedAtMs).toBe(Date.parse("2026-11-19T16:00:00Z"));
  });

  it("is requested in the version of the format it is read in", async () => {
    const context = prepared({ "/public/kijang-emas": BODY });
    expect(dealersAmong(await kijangEmas.fetch(context))).toHaveLength(3);
    expect(context.requests).toMatchObject([{ headers: { accept: "application/vnd.BNM.API.v1+json" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "4.10" };
    const found = parseKijangEmas(BODY);
    expect(gated(found, moment)).toEqual(["ok", "ok", "ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip", "unit_slip", "unit_slip"]);
    // The price of a gram where that of an ounce is expected.
    expect(gated(parseKijangEmas(BODY.replace("17230", "554").replace("16540", "532")), moment)[0]).toBe("unit_slip");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["a day without prices", '{"data":[],"meta":{"last_updated":"2026-11-20 09:00:00"}}', /data/],
    ["a missing coin", BODY.replace("half_oz", "halb_oz"), /half_oz/],
    ["a missing price", BODY.replace('"buying":8270,', ""), /half_oz.buying/],
    ["a price as text", BODY.replace("17230", '"17,230"'), /one_oz.selling: must be a number/],
    ["a null price", BODY.replace("4480", "null"), /quarter_oz.selling/],
    ["a day that is none", BODY.replace('"2026-11-20"', '"20-11-2026"'), /effective_date: must be a date/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseKijangEmas(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/malaysia_bnm_kijang_emas.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parseKijangEmas(body);
    expect(found[0]?.quote).toMatchObject({ sell: "19575", buyback: "18796", observedAtMs: Date.parse("2026-05-07T01:00:00Z") });
    expect(gated(found, { usdPerOzt: "4690", rate: "4.00" })).toEqual(["ok", "ok", "ok"]);
  });
});
