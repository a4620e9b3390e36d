/** Chow Tai Fook's page: valid, broken and captured, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { chowTaiFook, parseChowTaiFook } from "./chow-tai-fook.ts";

const PAGE = fixture("chow-tai-fook.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "7.785" };
const sides = (page: string) => parseChowTaiFook(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);

describe("Chow Tai Fook", () => {
  it("sells and buys back jewellery gold and pellets, per tael and per gram, at Hong Kong's time", () => {
    expect(sides(PAGE)).toEqual([
      ["chow-tai-fook:jewellery-tael", "44790", "35770"],
      ["chow-tai-fook:jewellery-gram", "1196.7", "955.7"],
      ["chow-tai-fook:pellet-tael", "40050", "36200"],
      ["chow-tai-fook:pellet-gram", "1070", "967.2"],
    ]);
    expect(parseChowTaiFook(PAGE)[2]).toMatchObject({
      observedAtMs: Date.parse("2026-11-20T07:06:03Z"),
      quote: { country: "HK", currency: "HKD", form: "bar", weight: "1", weightUnit: "tael", fineness: "999.9" },
    });
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await chowTaiFook.fetch(prepared({ "/en-hk/eshop/realtime-gold-price.html": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
    // The price of a tael where that of a gram is expected.
    expect(gated(parseChowTaiFook(PAGE.replace("1196.7", "44790")), MOMENT)[1]).toBe("unit_slip");
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no hidden list of prices"],
    ["a list that is empty", PAGE.replace(/value="[^"]*"/, 'value=""'), "the body is not JSON"],
    ["a missing price", PAGE.replace("Gold_Pellet_Buy_g", "Gold_Bar_Buy_g"), "unexpected Gold_Pellet_Buy_g: must be text"],
    ["another mark between thousands", PAGE.replace("44790", "44.790,00"), "unexpected Gold_Sell: must be a positive figure"],
    ["a currency beside the figure", PAGE.replace("44790", "HK$44790"), "unexpected Gold_Sell: must be a positive figure"],
    ["a missing time", PAGE.replace("Updated_Time", "Time"), "unexpected Updated_Time"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => parseChowTaiFook(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/hongkong_chowtaifook.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(page)).toEqual([
      ["chow-tai-fook:jewellery-tael", "49388", "39438"],
      ["chow-tai-fook:jewellery-gram", "1319.5", "1054"],
      ["chow-tai-fook:pellet-tael", "44154", "39916"],
      ["chow-tai-fook:pellet-gram", "1179.5", "1066.3"],
    ]);
    expect(new Set(gated(parseChowTaiFook(page), { usdPerOzt: "4290", rate: "7.83" }))).toEqual(new Set(["ok"]));
  });
});
