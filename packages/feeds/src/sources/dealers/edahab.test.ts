/** eDahab's page: valid, broken and captured, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { edahab, parseEdahab } from "./edahab.ts";

const PAGE = fixture("edahab.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "47.60" };
const read = (page: string) => parseEdahab(page, NOW_MS);
const sides = (page: string) => read(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);
const SIDES = [
  ["edahab:gram-24k", "6430", "6385"],
  ["edahab:gram-22k", "5894", "5853"],
  ["edahab:gram-21k", "5626", "5587"],
  ["edahab:gram-18k", "4823", "4789"],
];

describe("eDahab", () => {
  it("sells and buys back a gram of each karat, and no coin among them", () => {
    expect(sides(PAGE)).toEqual(SIDES);
    expect(read(PAGE)[2]).toMatchObject({
      observedAtMs: NOW_MS,
      quote: { country: "EG", currency: "EGP", karat: 21, form: "jewellery", product: "ذهب عيار 21", taxIncluded: false },
    });
  });

  it("reads Arabic digits as well", () => {
    const arabic = PAGE.replace(/>[^<]*</g, (text) =>
      text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit))).replaceAll(",", "٬"),
    );
    expect(arabic).toContain("٦٬٤٣٠");
    expect(sides(arabic)).toEqual(SIDES);
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await edahab.fetch(prepared({ "/": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no price of 24 karat gold"],
    ["a missing karat", PAGE.replace("<h3>عيار 21:</h3>", ""), "the page has no price of 21 karat gold"],
    ["another currency", PAGE.replaceAll("جنيه", "دولار"), "the page has no price of 24 karat gold"],
    ["sides the other way round", PAGE.replaceAll("بيع", "x").replaceAll("شراء", "بيع"), "no price of 24 karat gold"],
    ["another mark between thousands", PAGE.replace("6,430", "6.430"), "unexpected sell price of 24 karat gold"],
    ["a price that is not there", PAGE.replace("6,385", "---"), "unexpected buyback price of 24 karat gold"],
    ["two prices of a karat", PAGE.replace("عيار 22", "عيار 24"), "the page has two prices of 24 karat gold"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/egypt_edahab.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    expect(sides(page)).toEqual([
      ["edahab:gram-24k", "7015", "6965"],
      ["edahab:gram-21k", "6140", "6090"],
    ]);
    expect(gated(read(page), { usdPerOzt: "4140", rate: "51.7" })).toEqual(["ok", "ok"]);
  });
});
