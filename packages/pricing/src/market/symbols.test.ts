import { SPOT_NAMES, SPOT_SYMBOLS } from "@assay/contract";
import { expect, test } from "vitest";
import { PRICE_SYMBOLS, readPriceSymbol } from "./symbols.ts";

test("the symbols the contract names are those that are priced, and every name it takes is read", () => {
  expect(SPOT_SYMBOLS).toEqual(PRICE_SYMBOLS.map(({ symbol }) => symbol));
  for (const name of SPOT_NAMES) expect(readPriceSymbol(name).kind, name).toBe("known");
});
