import { describe, expect, test } from "vitest";
import { BUILT_IN } from "./built-in.ts";
import { catalogueOf } from "./catalogue.ts";
import { type CatalogueFile, mergeCatalogue } from "./file.ts";
import { WIDE } from "./wide.ts";

const rhodium = { code: "XRH", name: "rhodium", bounds: { low: "300", high: "60000" } };
const dinar = { code: "KWD", name: "Kuwaiti dinar", minor_units: 3, approximate_per_usd: 0.307 } as const;

describe("an operator's catalogue", () => {
  test("without rows is the built-in one", () => {
    expect(mergeCatalogue({})).toEqual(BUILT_IN);
  });

  test("adds rows behind the built-in ones, and everything that follows from them", () => {
    const catalogue = catalogueOf(mergeCatalogue({ metals: [rhodium], currencies: [dinar] }));
    expect(catalogue.spotMetals.at(-1)).toMatchObject({ code: "XRH", unit: "troy_ounce", tier: "pro", quoted_in: "USD" });
    expect(catalogue.priceNames.get("RHODIUM")?.symbol).toBe("XRH-USD-SPOT");
    expect(catalogue.priceNames.get("XAU-KWD-SPOT")?.instrument).toBe("XAU-USD-SPOT");
    expect(catalogue.barNames.get("XRH-USD")).toBe("XRH-USD-SPOT");
    expect(catalogue.ratios.map(({ pair }) => pair)).toEqual(expect.arrayContaining(["rhodium-gold", "palladium-rhodium"]));
    expect(catalogue.currency("KWD").minor_units).toBe(3);
  });

  test("changes the fields it names of a built-in row, and no other", () => {
    const { metals, currencies } = mergeCatalogue({
      metals: [{ code: "XAG", quoted_in: "all" }],
      currencies: [{ code: "AED", quoted: true }],
    });
    const silver = BUILT_IN.metals.find(({ code }) => code === "XAG");
    expect(metals.find(({ code }) => code === "XAG")).toEqual({ ...silver, quoted_in: "all" });
    expect(metals.map(({ code }) => code)).toEqual(BUILT_IN.metals.map(({ code }) => code));
    expect(currencies.find(({ code }) => code === "AED")).toMatchObject({ quoted: true, peg: { to: "USD", units: "3.6725" } });
  });

  test("named wide has all that it adds, and platinum and palladium in every currency", () => {
    const catalogue = catalogueOf(mergeCatalogue(WIDE));
    const codes = catalogue.quoted.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["USD", "EUR", "AED", "KWD", "VND"]));
    expect(catalogue.spotMetals.map(({ code }) => code)).toEqual(["XAU", "XAG", "HG", "XPT", "XPD"]);
    expect(catalogue.dailyMetals).toEqual([]);
    // Gold, silver, platinum and palladium in all, copper in dollars, three futures.
    expect(catalogue.priceSymbols).toHaveLength(4 * codes.length + 1 + 3);
    const pairs = catalogue.ratios.map(({ pair }) => pair);
    expect(pairs).toEqual(expect.arrayContaining(["platinum-palladium", "copper-gold", "gold-copper"]));
  });

  test.each<readonly [string, unknown, RegExp]>([
    ["an array", [], /^the file: /],
    ["an unknown table", { metal: [] }, /^the file: .*metal/],
    ["an unknown field", { metals: [{ ...rhodium, price: "1" }] }, /^metals\[0\].*price/],
    ["a new metal without bounds", { metals: [{ code: "XRH", name: "rhodium" }] }, /^metals\[0\]\.bounds: is required/],
    ["a code in small letters", { metals: [{ ...rhodium, code: "xrh" }] }, /^metals\[0\]\.code: must be 2 to 8 capitals/],
    ["a code twice", { metals: [rhodium, rhodium] }, /^metals\[1\]\.code: XRH is in the file twice/],
    [
      "bounds in the wrong order",
      { metals: [{ ...rhodium, bounds: { low: "2", high: "1" } }] },
      /bounds: low must be below high/,
    ],
    ["a price as a number", { metals: [{ ...rhodium, bounds: { low: 2, high: 3 } }] }, /^metals\[0\]\.bounds\.low/],
    ["a name that is taken", { metals: [{ ...rhodium, name: "gold" }] }, /^metals\.XRH\.name: gold is taken by the metal XAU/],
    [
      "an alias that is taken",
      { metals: [{ ...rhodium, aliases: ["hg"] }] },
      /^metals\.XRH\.aliases: hg is taken by the metal HG/,
    ],
    ["the code of a currency", { metals: [{ ...rhodium, code: "EUR" }] }, /^metals\.EUR\.code: EUR is taken by the currency EUR/],
    [
      "a product that is taken",
      { metals: [{ ...rhodium, futures: { product: "GC", main_months: [1] } }] },
      /^metals\.XRH\.futures\.product: GC is taken by the metal XAU/,
    ],
    [
      "a unit that is not one of prices",
      { metals: [{ ...rhodium, unit: "tola" }] },
      /^metals\.XRH\.unit: tola .* troy_ounce, pound/,
    ],
    ["karats of another metal", { metals: [{ ...rhodium, karats: true }] }, /^metals\.XRH\.karats/],
    ["a unit of zero grams", { units: [{ code: "stone", name: "stone", grams: "0" }] }, /^units\[0\]\.grams: must be above zero/],
    [
      "minor units in quotes",
      { currencies: [{ ...dinar, minor_units: "3" }] },
      /^currencies\[0\]\.minor_units: must be 0, 2, 3 or 4/,
    ],
    [
      "no minor units",
      { currencies: [{ code: "KWD", name: "Kuwaiti dinar", approximate_per_usd: 0.307 }] },
      /^currencies\[0\]\.minor_units: is required/,
    ],
    [
      "an inverted peg",
      { currencies: [{ ...dinar, peg: { to: "USD", units: "3.26", fixed: true } }] },
      /^currencies\.KWD\.peg\.units: 3\.26 makes 3\.26 per USD, but approximate_per_usd is 0\.307/,
    ],
    [
      "a peg to the euro that is one to the dollar",
      { currencies: [{ ...dinar, approximate_per_usd: 1, peg: { to: "EUR", units: "2", fixed: false } }] },
      /^currencies\.KWD\.peg\.units: 2 makes /,
    ],
    ["gold by the pound", { metals: [{ code: "XAU", unit: "pound" }] }, /^metals\.XAU\.unit: must be troy_ounce/],
    ["a gram of a kilogram", { units: [{ code: "gram", grams: "1000" }] }, /^units\.gram\.grams: must be 1;/],
    ["minor units of five", { currencies: [{ ...dinar, minor_units: 5 }] }, /^currencies\[0\]\.minor_units/],
    [
      "a peg without a partner",
      { currencies: [{ ...dinar, peg: { to: "XXX", units: "1", fixed: true } }] },
      /^currencies\.KWD\.peg\.to: no currency XXX/,
    ],
    [
      "pegs in a circle",
      {
        currencies: [
          { code: "AED", peg: { to: "SAR", units: "1", fixed: true } },
          { code: "SAR", peg: { to: "AED", units: "1", fixed: true } },
        ],
      },
      /^currencies\.AED\.peg: the pegs form a circle/,
    ],
    ["dollars that are not quoted", { currencies: [{ code: "USD", quoted: false }] }, /^currencies\.USD\.quoted: must be true/],
    ["gold without a spot price", { metals: [{ code: "XAU", coverage: "daily" }] }, /^metals\.XAU\.coverage: must be spot/],
    [
      "a fund of no metal",
      { funds: [{ ...rhodium, code: "FUND", name: "Fund", metal: "XXX" }] },
      /^funds\.FUND\.metal: no metal XXX/,
    ],
  ])("with %s is refused with the path of it", (_, file, message) => {
    expect(() => mergeCatalogue(file as CatalogueFile)).toThrow(message);
  });
});
