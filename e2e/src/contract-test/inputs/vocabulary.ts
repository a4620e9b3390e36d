/** Words that mean something to a route: those its schema knows, and spellings callers use beside them. */
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

/** Spellings a schema does not list. A route without an entry goes by its schema alone. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/v1/prices": { symbol: PRICED, include: GROUPS },
  "/v1/spot/{symbol}": { symbol: PRICED, include: GROUPS },
  "/v1/prices/history": { symbol: SERIES },
  "/v1/bars": { symbol: SERIES },
  "/v1/bars/latest": { symbol: SERIES },
  "/v1/convert": { amount: ["1", "0.5", "2.75", "1000", "31.1034768", "0.000001", "123456789.123456789"] },
};

/** The words a parameter of a path takes; none where only the form of its schema speaks. */
export const wordsOf = (path: string, { name, json }: Pick<Parameter, "name" | "json">): readonly unknown[] => [
  ...(SPELLINGS[path]?.[name] ?? []),
  ...(json.enum ?? []),
  ...(json["x-extensible-enum"] ?? []),
  ...(json["x-words"] ?? []),
];
