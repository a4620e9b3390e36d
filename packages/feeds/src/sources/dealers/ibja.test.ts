/** The association's rates: valid, broken and captured pages, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { ibja, parseIbja } from "./ibja.ts";

const PAGE = fixture("ibja.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "88.50" };
const read = (page: string) => parseIbja(page, NOW_MS);
const sells = (page: string) => read(page).map(({ quote: { id, sell } }) => [id, sell]);

describe("IBJA", () => {
  it("rates ten grams of each fineness, on one side and without tax", () => {
    expect(sells(PAGE)).toEqual([
      ["ibja:gold-999", "121482"],
      ["ibja:gold-995", "120996"],
      ["ibja:gold-916", "111278"],
      ["ibja:gold-750", "91112"],
      ["ibja:gold-585", "71067"],
    ]);
    expect(read(PAGE)[2]).toMatchObject({
      observedAtMs: NOW_MS,
      quote: {
        country: "IN",
        currency: "INR",
        kind: "benchmark",
        karat: 22,
        fineness: "916",
        weight: "10",
        weightUnit: "gram",
        buyback: null,
        taxIncluded: false,
      },
    });
  });

  it("gives the morning's rate until the afternoon's is set", () => {
    const morning = PAGE.replace(/(_PM">)[0-9]+/g, "$1 ");
    expect(sells(morning).slice(0, 2)).toEqual([
      ["ibja:gold-999", "121310"],
      ["ibja:gold-995", "120824"],
    ]);
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await ibja.fetch(prepared({ "/": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    // The price of a gram where that of ten grams is expected, and the reverse.
    expect(new Set(gated(slipped(found, -1), MOMENT))).toEqual(new Set(["unit_slip"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no rate of gold 999"],
    ["a missing row", PAGE.replace(/<tr><td>Gold 995.*/, ""), "the page has no rate of gold 995"],
    ["a place that is gone", PAGE.replace("lblGold750_PM", "x"), "the page has no rate of gold 750"],
    ["rates that are not set yet", PAGE.replace(/(_[AP]M">)[0-9]+/g, "$1"), "the page has no rate of gold 999"],
    ["another manner of grouping", PAGE.replace("121482", "1,21,482"), "unexpected rate of gold 999"],
    ["a dash", PAGE.replace("121482", "-"), "unexpected rate of gold 999"],
    ["words", PAGE.replace("121482", "Holiday"), "unexpected rate of gold 999"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page, where an afternoon's rate is still open", (test) => {
    const page = captured("payloads/india_ibja.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sells(page)).toEqual([
      ["ibja:gold-999", "157739"],
      ["ibja:gold-995", "157189"],
      ["ibja:gold-916", "144489"],
    ]);
    expect(new Set(gated(read(page), { usdPerOzt: "4540", rate: "95.9" }))).toEqual(new Set(["ok"]));
  });
});
