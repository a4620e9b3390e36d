/** GET /v1/spot/{symbol}: one row without an envelope. */
import { type AssayContract, Encoded, SYMBOL_HINT, type Verb } from "@assay/contract";
import { readPriceSymbol } from "@assay/pricing";
import { requireSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readGroups } from "../prices/groups.ts";
import type { RowCache } from "../prices/row-cache.ts";

/** Answers one spot row, encoded once for all callers with the same view. */
export const getSpot =
  ({ catalog }: Pick<ServiceDeps, "catalog">, rows: RowCache): Verb<AssayContract["spot"]["get"], VerbContext> =>
  ({ symbol, include }, { caller, asOfMs, fail }) => {
    const reading = readPriceSymbol(symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol, hint: SYMBOL_HINT });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown") return fail("not_found");
    return new Encoded(rows.json(reading.entry, readGroups(include, caller.key !== null), caller, asOfMs));
  };
