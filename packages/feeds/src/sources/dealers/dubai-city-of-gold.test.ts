/** Dubai's retail rate: valid, broken and captured pages, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { dubaiCityOfGold, parseDubaiCityOfGold } from "./dubai-city-of-gold.ts";

const PAGE = fixture("dubai-city-of-gold.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "3.6725" };
const read = (page: string) => parseDubaiCityOfGold(page, NOW_MS);
const sells = (page: string) => read(page).map(({ quote: { id, sell } }) => [id, sell]);
const SELLS = [
  ["dubai-city-of-gold:gram-24k", "476.25"],
  ["dubai-city-of-gold:gram-22k", "441.00"],
  ["dubai-city-of-gold:gram-21k", "422.75"],
  ["dubai-city-of-gold:gram-18k", "362.50"],
  ["dubai-city-of-gold:gram-14k", "282.75"],
];

describe("Dubai City of Gold", () => {
  it("rates a gram of each karat, and buys nothing back", () => {
    expect(sells(PAGE)).toEqual(SELLS);
    expect(read(PAGE)[1]).toMatchObject({
      observedAtMs: NOW_MS,
      quote: { country: "AE", currency: "AED", kind: "benchmark", product: "22K Gold", karat: 22, buyback: null },
    });
  });

  it("is read by its words, whatever elements they are in", () => {
    const tiles = PAGE.replace(/<li>(..K Gold) <b>(.*?)<\/b><\/li>/g, '<div class="item"><span>$1</span>\n<span>$2</span></div>');
    expect(tiles).not.toBe(PAGE);
    expect(sells(tiles)).toEqual(SELLS);
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await dubaiCityOfGold.fetch(prepared({ "/": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
    // The price of a tola where that of a gram is expected.
    expect(gated(read(PAGE.replace("476.25", "5,554.89")), MOMENT)[0]).toBe("unit_slip");
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no price of 24 karat gold"],
    ["a missing row", PAGE.replace(/<li>21K.*?<\/li>/, ""), "the page has no price of 21 karat gold"],
    ["another currency", PAGE.replaceAll("AED", "USD"), "the page has no price of 24 karat gold"],
    [
      "another mark before decimals",
      PAGE.replace("476.25", "476,25"),
      "unexpected price of 24 karat gold: must be of the form AED 1,234.50",
    ],
    [
      "a price that is not there",
      PAGE.replace("476.25", "--"),
      "unexpected price of 24 karat gold: must be of the form AED 1,234.50",
    ],
    ["two prices of a karat", PAGE.replace("22K Gold <b>", "24K Gold <b>"), "the page has two prices of 24 karat gold"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/uae_dubaicityofgold.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sells(page)).toEqual([
      ["dubai-city-of-gold:gram-24k", "540.25"],
      ["dubai-city-of-gold:gram-22k", "500.25"],
      ["dubai-city-of-gold:gram-21k", "479.75"],
      ["dubai-city-of-gold:gram-18k", "411.25"],
      ["dubai-city-of-gold:gram-14k", "320.75"],
    ]);
    expect(new Set(gated(read(page), { usdPerOzt: "4540", rate: "3.6725" }))).toEqual(new Set(["ok"]));
  });
});
