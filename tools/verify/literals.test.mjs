/** Metals and currencies named outside the catalogue. */
import { expect, test } from "vitest";
import { literalFaults } from "./literals.mjs";
import { layOut } from "./scratch.mjs";

test("code that names a metal or a currency is reported with its line; the catalogue, comments and tests are not", () => {
  const root = layOut({
    "packages/catalogue/package.json": { name: "@assay/catalogue" },
    "packages/catalogue/src/built-in.ts": 'export const code = "XAG";',
    "packages/pricing/package.json": { name: "@assay/pricing" },
    "packages/pricing/src/cross.ts": '/** From "EUR". */\nexport const base = "EUR";\nexport const symbol = "XAG-USD-SPOT";',
    "packages/pricing/src/cross.test.ts": 'export const metal = "XAG";',
    "apps/api/package.json": { name: "@assay/api" },
    "apps/api/src/page.ts": "export const metals = ['XAU', 'XPT'];",
  });
  expect(literalFaults(root)).toEqual([
    "packages/pricing/src/cross.ts:2 names EUR; derive it from packages/catalogue",
    "apps/api/src/page.ts:1 names XPT; derive it from packages/catalogue",
  ]);
});

test("the repository names them nowhere else", () => {
  expect(literalFaults()).toEqual([]);
});
