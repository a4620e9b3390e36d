/** Luk Fook's prices: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { lukFook, parseLukFook } from "./luk-fook.ts";

const BODY = fixture("luk-fook.json.txt");
const sides = (body: string) => parseLukFook(body).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);

describe("Luk Fook", () => {
  it("sells and buys back three kinds of gold, per gram and per tael", () => {
    expect(sides(BODY)).toEqual([
      ["luk-fook:investment-gram", "1158", "982"],
      ["luk-fook:investment-tael", "43343", "36755"],
      ["luk-fook:pellet-gram", "1101", "995.5"],
      ["luk-fook:pellet-tael", "41209", "37260"],
      ["luk-fook:jewellery-gram", "1228", "984"],
      ["luk-fook:jewellery-tael", "45963", "36830"],
    ]);
    const [, tael] = parseLukFook(BODY);
    expect(tael?.quote).toMatchObject({ currency: "HKD", form: "bar", weight: "1", weightUnit: "tael", fineness: "999.9" });
  });

  it("has the time of Hong Kong's clock", () => {
    for (const { observedAtMs, quote } of parseLukFook(BODY)) {
      expect([observedAtMs, quote.observedAtMs]).toEqual([
        Date.parse("2026-11-20T08:32:05Z"),
        Date.parse("2026-11-20T08:32:05Z"),
      ]);
    }
  });

  it("requests Hong Kong's prices", async () => {
    const context = prepared({ "/api/goldprice/page": BODY });
    expect(dealersAmong(await lukFook.fetch(context))).toHaveLength(6);
    expect(context.requests).toMatchObject([{ headers: { lang: "tc" } }]);
  });

  it("leaves out a side shown as a dash", () => {
    expect(sides(BODY.replace('"982"', '"-"'))[0]).toEqual(["luk-fook:investment-gram", "1158", null]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "7.80" };
    const found = parseLukFook(BODY);
    expect(new Set(gated(found, moment))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), moment))).toEqual(new Set(["unit_slip"]));
    // The price of a tael where that of a gram is expected is 37 times too high.
    expect(gated(parseLukFook(BODY.replace('"1158"', '"43343"')), moment)[0]).toBe("unit_slip");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the publisher", '{"status":0,"data":null}', /status: the publisher reports an error/],
    ["an empty group", BODY.replace(/"group":\[[^\]]*\]/, '"group":[]'), /InvestmentS: must be text/],
    ["the mainland's prices", BODY.replace('"rmb_buyprice":"114.2",', ""), /rmb_buyprice/],
    ["a price as a number", BODY.replace('"1158"', "1158"), /InvestmentS: must be text/],
    ["a missing price for a tael", BODY.replace('"GoldPieceTB"', '"GoldPieceXB"'), /GoldPieceTB/],
    ["a negative price", BODY.replace('"982"', '"-982"'), /InvestmentB: must be a positive figure/],
    ["a missing time", BODY.replace("record_date", "date"), /record_date/],
    ["a time of another form", BODY.replace("2026-11-20 16:32:05", "20/11/2026"), /record_date: must be a time/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseLukFook(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/hongkong_lukfook.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(body).slice(0, 2)).toEqual([
      ["luk-fook:investment-gram", "1246", "1053.7"],
      ["luk-fook:investment-tael", "46640", "39427"],
    ]);
    // That day's spot was slightly above the buyback price of pellets: 1 066.3 HKD per gram.
    expect(new Set(gated(parseLukFook(body), { usdPerOzt: "4290", rate: "7.83" }))).toEqual(new Set(["ok"]));
  });
});
