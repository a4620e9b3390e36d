/** GET /v1/prices: every symbol of the tier, or the one requested. */
import { type AssayContract, Encoded, SYMBOL_HINT, type Verb } from "@assay/contract";
import { PRICE_SYMBOLS, readPriceSymbol } from "@assay/pricing";
import { allowsSymbol, requireSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readGroups } from "./groups.ts";
import type { RowCache } from "./row-cache.ts";

type Route = AssayContract["prices"]["list"];

/** Lists spot rows; each row is encoded once for all callers with the same view. */
export const listPrices =
  ({ catalog }: Pick<ServiceDeps, "catalog">, rows: RowCache): Verb<Route, VerbContext> =>
  ({ symbol, include }, { caller, asOfMs, fail }) => {
    const groups = readGroups(include, caller.key !== null);
    if (symbol === undefined) {
      const allowed = PRICE_SYMBOLS.filter((entry) => allowsSymbol(catalog, caller.tier, entry));
      return new Encoded(`{"symbols":[${allowed.map((entry) => rows.json(entry, groups, caller, asOfMs)).join(",")}]}`);
    }
    const reading = readPriceSymbol(symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol, hint: SYMBOL_HINT });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown") return fail("invalid_symbol", { symbol, hint: SYMBOL_HINT });
    return new Encoded(`{"symbols":[${rows.json(reading.entry, groups, caller, asOfMs)}]}`);
  };
