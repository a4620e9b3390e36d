import { expect, test } from "vitest";
import { BUILT_IN } from "./built-in.ts";
import { catalogueOf } from "./catalogue.ts";

const catalogue = catalogueOf(BUILT_IN);

test("the built-in catalogue is that of the interface", () => {
  expect(catalogue.spotMetals.map(({ code }) => code)).toEqual(["XAU", "XAG", "HG"]);
  expect(catalogue.dailyMetals.map(({ code }) => code)).toEqual(["XPT", "XPD"]);
  expect(catalogue.quoted.map(({ code }) => code).join(" ")).toBe(
    "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR",
  );
  expect(catalogue.unitsFor("convert")).toEqual(["oz", "gram", "kg"]);
  expect(catalogue.ratios.map(({ pair }) => pair)).toEqual([
    "gold-silver",
    "gold-platinum",
    "silver-platinum",
    "gold-palladium",
    "gld-xau",
  ]);
});

test("gold is priced in every quote currency, the other metals in dollars, futures too", () => {
  const symbols = catalogue.priceSymbols.map(({ symbol }) => symbol);
  expect(symbols.slice(0, catalogue.quoted.length).every((symbol) => /^XAU-[A-Z]{3}-SPOT$/.test(symbol))).toBe(true);
  expect(symbols.slice(catalogue.quoted.length)).toEqual([
    "XAG-USD-SPOT",
    "HG-USD-SPOT",
    "XAU-USD-FUTURES",
    "XAG-USD-FUTURES",
    "HG-USD-FUTURES",
  ]);
});

test.each([
  ["GOLD", "XAU-USD-SPOT", "XAU-USD-SPOT"],
  ["XAU", "XAU-USD-SPOT", "XAU-USD-SPOT"],
  ["SILVER", "XAG-USD-SPOT", "XAG-USD-SPOT"],
  ["COPPER", "HG-USD-FUTURES", "HG"],
  ["HG", "HG-USD-FUTURES", "HG"],
])("%s means %s on the price routes and %s on those of bars", (name, symbol, series) => {
  expect(catalogue.priceNames.get(name)?.symbol).toBe(symbol);
  expect(catalogue.barNames.get(name)).toBe(series);
});

test.each([
  ["XAU-USD", "XAU-USD-SPOT"],
  ["HG-USD", "HG-USD-SPOT"],
  ["XAG-USD-FUTURES", "SI"],
  ["GLD", "GLD"],
])("%s names the series %s", (name, series) => {
  expect(catalogue.barNames.get(name)).toBe(series);
});

test("a code that is not in the table is an error that names it", () => {
  expect(() => catalogue.metal("XRH")).toThrow("the catalogue has no metal XRH");
  expect(() => catalogue.currency("XXX")).toThrow("the catalogue has no currency XXX");
});
