/** Emperor's page: valid, broken and captured, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { emperor, parseEmperor } from "./emperor.ts";

const PAGE = fixture("emperor.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "7.785" };
const sides = (page: string) => parseEmperor(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);

describe("Emperor", () => {
  it("sells and buys back three kinds of gold per tael, at Hong Kong's time", () => {
    expect(sides(PAGE)).toEqual([
      ["emperor:jewellery-tael", "44780.00", "35780.00"],
      ["emperor:pellet-tael", "39760.00", "36010.00"],
      ["emperor:bar-tael", "39760.00", "36010.00"],
    ]);
    expect(parseEmperor(PAGE)[0]).toMatchObject({
      observedAtMs: Date.parse("2026-11-20T07:20:00Z"),
      quote: { country: "HK", currency: "HKD", product: "足金飾品", form: "jewellery", weight: "1", weightUnit: "tael" },
    });
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await emperor.fetch(prepared({ "/zh/gold-price/": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
    // The price of a gram where that of a tael is expected.
    expect(gated(parseEmperor(PAGE.replace("39,760.00", "1,062.30").replace("36,010.00", "962.10")), MOMENT)[1]).toBe(
      "unit_slip",
    );
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no time of its last update"],
    ["a missing row", PAGE.replace("足金金粒", "足金金章"), "the page has no row 足金金粒"],
    ["a page for small screens alone", PAGE.replace("gold-table-desktop", "x"), "the page has no row 足金飾品"],
    ["prices per gram", PAGE.replace("(兩)", "(克)"), "the page has no price per tael of 足金飾品"],
    ["another mark between thousands", PAGE.replace("44,780.00", "44.780,00"), "unexpected sell-price of 足金飾品"],
    ["a missing side", PAGE.replace('"buy-price"', '"x"'), "the page has no buy-price of 足金飾品"],
    ["a time of another form", PAGE.replace("2026/11/20", "20/11/2026"), "the page has no time of its last update"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => parseEmperor(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/hongkong_emperor.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(page)).toEqual([
      ["emperor:jewellery-tael", "49380.00", "39450.00"],
      ["emperor:pellet-tael", "43840.00", "39690.00"],
      ["emperor:bar-tael", "43840.00", "39690.00"],
    ]);
    expect(new Set(gated(parseEmperor(page), { usdPerOzt: "4290", rate: "7.83" }))).toEqual(new Set(["ok"]));
  });
});
