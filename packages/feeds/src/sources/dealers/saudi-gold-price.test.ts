/** saudigoldprice.com: valid, broken and captured pages, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { parseSaudiGoldPrice, saudiGoldPrice } from "./saudi-gold-price.ts";

const PAGE = fixture("saudi-gold-price.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "3.75" };
const read = (page: string, atMs = NOW_MS) => parseSaudiGoldPrice(page, atMs);
const sides = (page: string) =>
  read(page, Date.parse("2027-01-01T00:00:00Z")).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);
const SIDES = [
  ["saudi-gold-price:ounce", "15036.90", "15021.40"],
  ["saudi-gold-price:gram-24k", "483.30", null],
  ["saudi-gold-price:gram-21k", "422.90", null],
  ["saudi-gold-price:gram-18k", "362.50", null],
];

describe("saudigoldprice.com", () => {
  it("has both sides of the ounce, and one of a gram of each karat", () => {
    expect(sides(PAGE)).toEqual(SIDES);
    expect(read(PAGE)[0]?.quote).toMatchObject({ country: "SA", currency: "SAR", kind: "board", weight: "1", weightUnit: "oz" });
    expect(read(PAGE)[2]?.quote).toMatchObject({ karat: 21, weight: "1", weightUnit: "gram", buyback: null });
  });

  it("finds rows by their words, in any order", () => {
    const rows = PAGE.split("\n");
    const turned = [...rows.slice(0, 6), ...rows.slice(6, 12).reverse(), ...rows.slice(12)].join("\n");
    expect(turned).not.toBe(PAGE);
    expect(sides(turned)).toEqual(SIDES);
  });

  it("is no younger than the day at its head", () => {
    expect(read(PAGE)[0]?.observedAtMs).toBe(NOW_MS);
    expect(read(PAGE, Date.parse("2026-11-23T09:00:00Z"))[1]?.observedAtMs).toBe(Date.parse("2026-11-20T20:59:59.999Z"));
    expect(read(PAGE.replace("2026/11/20", "اليوم"), NOW_MS)[0]?.observedAtMs).toBe(NOW_MS);
    expect(() => read(PAGE.replace("2026/11/20", "2026/11/22"))).toThrow("dated in the future");
  });

  it("passes the gate, and not when its unit slips or its sides are swapped", async () => {
    const found = dealersAmong(await saudiGoldPrice.fetch(prepared({ "/": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
    const swapped = PAGE.replace("شراء أونصة", "x").replace("بيع أونصة", "شراء أونصة").replace("x", "بيع أونصة");
    expect(gated(read(swapped), MOMENT)[0]).toBe("crossed");
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no row شراء أونصة الذهب"],
    ["a missing side of the ounce", PAGE.replace("بيع أونصة الذهب", "بيع أونصة الفضة"), "the page has no row بيع أونصة الذهب"],
    ["a missing karat", PAGE.replace(/.*عيار 24.*\n/, ""), "the page has no price of 24 karat gold"],
    ["another mark between thousands", PAGE.replace("15,036.90", "15.036,90"), "unexpected شراء أونصة الذهب"],
    ["a price in another currency", PAGE.replace("483.30", "128.88 $"), "unexpected سعر جرام الذهب عيار 24"],
    ["two rows of one name", PAGE.replace("عيار 18", "عيار 21"), "the page has two rows سعر جرام الذهب عيار 21"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/saudi_saudigoldprice.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(page)).toEqual([
      ["saudi-gold-price:ounce", "15655.70", "15640.10"],
      ["saudi-gold-price:gram-24k", "502.90", null],
      ["saudi-gold-price:gram-21k", "440.00", null],
    ]);
    expect(new Set(gated(read(page), { usdPerOzt: "4172", rate: "3.75" }))).toEqual(new Set(["ok"]));
  });
});
