/** The programs that use every public name. */
import { expect, test } from "vitest";
import { usesOfNames } from "./public-names.mjs";

const FILES = {
  "src/index.ts": `export * from "./bars.ts";
export { fetchBars as bars, type Options } from "./fetch.ts";
export type * as Wire from "./wire.ts";
export { Decimal } from "decimal.js";`,
  "src/bars.ts": `export interface Bar<T> { readonly "bar-start": Date; close?: T; at(index: number): T }
export class Walk { #step = 1; private left = 2; static all = 3; constructor() {} get size(): number { return 1 } next(): void {} }
export const INTERVALS = ["1m"] as const, LIMIT = 5;
export function list(): void {}
interface Hidden { secret: string }
export type Query = { readonly symbol: string; };
export type Interval = "1m";`,
  "src/fetch.ts": "export const fetchBars = () => 1;\nexport interface Options { url: string }\nexport const own = 1;",
  "src/wire.ts": "export interface Bar { bar_start: string }",
  "src/msw/index.ts": 'export type { Bar } from "../bars.ts";\nexport const mocks = [];',
};
const read = (path) => FILES[path];

test("every public name and public member of an instance is used once, and nothing else", () => {
  const [program] = usesOfNames([["@assay/sdk", "src/index.ts"]], read);
  expect(program).toBe(`import type * as sdk from "@assay/sdk";
export type Uses = [
  sdk.Bar<any>,
  sdk.Bar<any>["bar-start"],
  sdk.Bar<any>["close"],
  sdk.Bar<any>["at"],
  typeof sdk.Walk,
  sdk.Walk,
  sdk.Walk["size"],
  sdk.Walk["next"],
  typeof sdk.INTERVALS,
  typeof sdk.LIMIT,
  typeof sdk.list,
  sdk.Query,
  sdk.Query["symbol"],
  sdk.Interval,
  typeof sdk.bars,
  sdk.Options,
  sdk.Options["url"],
  sdk.Wire.Bar,
  sdk.Wire.Bar["bar_start"],
  typeof sdk.Decimal,
];
`);
});

test("each entry point has its own program", () => {
  const [, program] = usesOfNames(
    [
      ["@assay/sdk", "src/index.ts"],
      ["@assay/sdk/msw", "src/msw/index.ts"],
    ],
    read,
  );
  expect(program).toMatch(/^import type \* as sdk from "@assay\/sdk\/msw";/);
  expect(program).toContain("sdk.Bar<any>,");
  expect(program).toContain("typeof sdk.mocks,");
});
