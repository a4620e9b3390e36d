import { describe, expect, it } from "vitest";
import { currencyHint, foldSymbol, readCurrency, symbolHint, unsupportedCurrency } from "./currency-codes.ts";
import { CURRENCIES } from "./values.ts";

describe("a currency", () => {
  it("is read in capitals and in small letters, and in no mixture of them", () => {
    for (const code of CURRENCIES) {
      expect(readCurrency(code)).toBe(code);
      expect(readCurrency(code.toLowerCase())).toBe(code);
      expect(readCurrency(`${code.slice(0, 2)}${code.slice(2).toLowerCase()}`), code).toBeNull();
    }
  });

  it.each([
    ["GBp", "GBp is pence, a hundredth of GBP: use GBP, and convert."],
    ["GBX", "GBX is pence, a hundredth of GBP: use GBP, and convert."],
    ["gbx", "gbx is pence, a hundredth of GBP: use GBP, and convert."],
    ["ZAc", "ZAc is cents, a hundredth of ZAR: use ZAR, and convert."],
    ["ILA", "ILA is agorot, a hundredth of ILS: use ILS, and convert."],
    ["Eur", "A currency is written in capitals or in small letters, EUR: Eur could mean a part of it."],
  ])("is not %s, which is refused by name", (code, hint) => {
    expect(readCurrency(code)).toBeNull();
    expect(currencyHint(code)).toBe(hint);
    expect(unsupportedCurrency("to", code, ["EUR"])).toBe(`to "${code}" is not supported: ${hint}`);
    expect(foldSymbol(`XAU-${code}-SPOT`)).toBeNull();
    expect(symbolHint(`xau/${code}`)).toBe(hint);
  });

  it("says nothing of what it does not know, and of currencies there are", () => {
    for (const code of ["XXX", "", "GBP", "gbp", "constructor"]) expect(currencyHint(code), code).toBeNull();
  });
});

it("folds the case of the rest of a symbol, whatever it is", () => {
  expect(["Gold", "xau-gbp-spot", "Xau-GBP-Spot", "physical:ae"].map(foldSymbol)).toEqual([
    "GOLD",
    "XAU-GBP-SPOT",
    "XAU-GBP-SPOT",
    "PHYSICAL:AE",
  ]);
});
