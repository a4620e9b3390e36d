/** Words a route understands: those in its schema, and other spellings callers use. */
import { BAR_SYMBOLS } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import type { Parameter } from "@assay/testkit/wire";

const PRICED = [
  ...PRICE_SYMBOLS.map(({ symbol }) => symbol),
  "gold",
  "GOLD",
  "XAU",
  "silver",
  "XAG",
  "copper",
  "HG",
  "xau-eur-spot",
];
const GROUPS = ["sources,karat", "SOURCES, stats", "no-such-group", ""];
const SERIES = [...BAR_SYMBOLS, "XAU/USD", "XAG/USD", "HG/USD", "xau-usd", "gld"];

/** Spellings a schema does not list. A route without an entry uses its schema alone. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/v1/prices": { symbol: PRICED, include: GROUPS },
  "/v1/spot/{symbol}": { symbol: PRICED, include: GROUPS },
  "/v1/prices/history": { symbol: SERIES },
  "/v1/bars": { symbol: SERIES },
  "/v1/bars/latest": { symbol: SERIES },
  "/v1/convert": { amount: ["1", "0.5", "2.75", "1000", "31.1034768", "0.000001", "123456789.123456789"] },
};

/** The words a path parameter accepts; empty when only its schema constrains it. */
export const wordsOf = (path: string, { name, json }: Pick<Parameter, "name" | "json">): readonly unknown[] => [
  ...(SPELLINGS[path]?.[name] ?? []),
  ...(json.enum ?? []),
  ...(json["x-extensible-enum"] ?? []),
  ...(json["x-closed-enum"] ?? []),
  ...(json["x-words"] ?? []),
];
