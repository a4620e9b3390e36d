import { CROSSES, SPOT_NAMES, SPOT_SYMBOLS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { PRICE_SYMBOLS, readCross, readPriceSymbol } from "./symbols.ts";

test("the symbols the contract names are those that are priced, and every name it takes is read", () => {
  expect(SPOT_SYMBOLS).toEqual(PRICE_SYMBOLS.map(({ symbol }) => symbol));
  for (const name of SPOT_NAMES) expect(readPriceSymbol(name).kind, name).toBe("known");
});

describe("a cross", () => {
  test.each(["XAU-EUR-SPOT", "xau-eur-spot", "XAU/EUR", "xau-eur", "gold/eur", "Gold-EUR"])("may be written %s", (text) => {
    expect(readCross(text)).toEqual({ symbol: "XAU-EUR-SPOT", metal: "XAU", currency: "EUR", instrument: "XAU-USD-SPOT" });
  });

  test("of a metal alone is in dollars", () => {
    expect([readCross("silver")?.symbol, readCross("HG")?.symbol]).toEqual(["XAG-USD-SPOT", "HG-USD-SPOT"]);
  });

  test("is every spot metal in every quote currency, and nothing else", () => {
    expect(CROSSES.map((symbol) => readCross(symbol)?.symbol)).toEqual(CROSSES);
    for (const text of [
      "XAU-EUR-FUTURES",
      "XAU-XXX-SPOT",
      "GLD",
      "GC",
      "XPT-EUR-SPOT",
      "EUR",
      "",
      "XAU-",
      "XAU-EUR-SPOT-",
      "XAU EUR",
    ])
      expect(readCross(text), text).toBeNull();
  });
});
