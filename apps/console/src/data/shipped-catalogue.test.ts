import { publishedCatalog } from "@assay/contract";
import { expect, it } from "vitest";
import { SHIPPED_CATALOGUE } from "./shipped-catalogue.ts";

it("is the built-in catalogue, as far as the console needs it", () => {
  const { metals, currencies, units } = publishedCatalog();
  expect(metals.filter(({ coverage }) => coverage === "spot")).toEqual(
    SHIPPED_CATALOGUE.metals.map(({ futures, ...metal }) => expect.objectContaining(metal)),
  );
  expect(SHIPPED_CATALOGUE.metals.map(({ futures }) => futures?.product)).toEqual(
    metals.flatMap(({ coverage, futures }) => (coverage === "spot" ? [futures?.product] : [])),
  );
  expect(SHIPPED_CATALOGUE.currencies.map(({ code }) => code)).toEqual(
    currencies.flatMap(({ code, quoted }) => (quoted ? [code] : [])),
  );
  expect(units).toEqual(expect.arrayContaining([...SHIPPED_CATALOGUE.units]));
});
