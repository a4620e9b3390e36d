/** GET /v1/prices/divergence: where the fresh primary sources disagree. */
import { type AssayContract, formatTimestamp, type Verb } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import { allowsSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { presentSource } from "./present-row.ts";

/** Sources quote in USD, so a metal diverges once, not once per currency it is shown in. */
const QUOTED = PRICE_SYMBOLS.filter((symbol) => symbol.currency === "USD");

/** Counts diverging symbols for everyone; names them only for callers with a key, within their tier. */
export const divergence =
  ({ market, catalog }: Pick<ServiceDeps, "market" | "catalog">): Verb<AssayContract["prices"]["divergence"], VerbContext> =>
  ({ threshold }, { caller, asOfMs }) => {
    const head = { threshold_bps: threshold, computed_at: formatTimestamp(new Date(asOfMs)) };
    const diverged = QUOTED.flatMap((symbol) => {
      const price = market.priceAt(symbol.instrument, asOfMs);
      const bps = price?.divergenceBps ?? null;
      return price && bps !== null && bps >= threshold && asOfMs <= price.freshUntilMs ? [{ symbol, price, bps }] : [];
    });
    if (caller.key === null) return { ...head, diverged_count: diverged.length };
    return {
      ...head,
      diverged: diverged
        .filter(({ symbol }) => allowsSymbol(catalog, caller.tier, symbol))
        .map(({ symbol, price, bps }) => ({
          symbol: symbol.metal,
          quote_currency: symbol.currency,
          contract_type: symbol.contractType,
          divergence_bps: bps,
          primary_sources: price.sources
            .filter((part) => part.role === "primary" && price.computedAtMs <= part.freshUntilMs)
            .map((part) => presentSource(part, symbol, "1", asOfMs)),
          computed_at: formatTimestamp(new Date(price.computedAtMs)),
        })),
    };
  };
