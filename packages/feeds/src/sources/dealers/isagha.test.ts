/** iSagha's page: with and without labels, broken and captured, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { isagha, parseIsagha } from "./isagha.ts";

const PAGE = fixture("isagha.html.txt");
const UNNAMED = fixture("isagha-unnamed.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "47.60" };
const read = (page: string) => parseIsagha(page, NOW_MS);
const sides = (page: string) => read(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);
const SIDES = [
  ["isagha:gram-24k", "6430", "6380"],
  ["isagha:gram-21k", "5625", "5585"],
  ["isagha:gram-18k", "4820", "4785"],
];

describe("iSagha", () => {
  it("has both sides of a gram of each karat, and leaves the ounce out", () => {
    expect(sides(PAGE)).toEqual(SIDES);
    expect(read(PAGE)[0]).toMatchObject({
      observedAtMs: NOW_MS,
      quote: { country: "EG", currency: "EGP", kind: "board", karat: 24, form: "reference", taxIncluded: false },
    });
  });

  it("uses the higher price as what a customer pays, whichever word the page uses", () => {
    const swapped = PAGE.replaceAll("price--sell", "price--x")
      .replaceAll("price--buy", "price--sell")
      .replaceAll("price--x", "price--buy");
    expect(sides(swapped)).toEqual(SIDES);
    expect(sides(PAGE.replace("6,380", "x").replace("6,430", "6,380").replace("x", "6,430"))).toEqual(SIDES);
  });

  it("finds karats by their names, in any order", () => {
    const swapped = PAGE.replace(/(<li.*عيار 24.*<\/li>\n)(<li.*عيار 21.*<\/li>\n)/, "$2$1");
    expect(swapped).not.toBe(PAGE);
    expect(sides(swapped)).toEqual(SIDES);
  });

  it("reads a strip without names by what each price is for", () => {
    expect(sides(UNNAMED)).toEqual(SIDES);
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await isagha.fetch(prepared({ "/prices": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no strip of prices"],
    ["a missing karat", PAGE.replace("عيار 21", "سبيكة"), "the page has no price of 21 karat gold"],
    [
      "a missing side",
      PAGE.replace(/<span class="prices-strip__value">6,380<\/span>/, ""),
      "no two sides of the price of 24 karat gold",
    ],
    ["another mark between thousands", PAGE.replace("6,430", "6.430"), "unexpected price of 24 karat gold"],
    ["a price in a picture", PAGE.replace("6,430", '<img src="p.png">'), "unexpected price of 24 karat gold"],
    ["a tile without a name", PAGE.replace("prices-strip__name", "x"), "the page has no name in a tile of prices"],
    ["a strip that lacks a price", UNNAMED.replace(/<span[^>]*>6,430<\/span>/, ""), "the page has no strip of prices"],
    [
      "a strip of other karats",
      UNNAMED.replace("5,585", "5,853").replace("5,625", "5,894"),
      "is not that of 24, 21 and 18 karat",
    ],
    [
      "a strip in another order",
      UNNAMED.replace("6,380", "4,003.20").replace(/4,003.20<\/span><\/div>/, "6,380</span></div>"),
      "is not that of 24, 21 and 18 karat",
    ],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/egypt_isagha.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(page)).toEqual([
      ["isagha:gram-24k", "7015", "6965"],
      ["isagha:gram-21k", "6140", "6090"],
      ["isagha:gram-18k", "5260", "5220"],
    ]);
    expect(new Set(gated(read(page), { usdPerOzt: "4140", rate: "51.7" }))).toEqual(new Set(["ok"]));
  });
});
