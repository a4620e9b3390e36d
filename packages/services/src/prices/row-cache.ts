/** Spot rows, presented and encoded once per price for all callers with the same view. */
import type { PriceSymbol, StandingPrice } from "@assay/pricing";
import type { Caller } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import type { Groups } from "./groups.ts";
import { presentRow } from "./present-row.ts";

interface Entry {
  readonly price: StandingPrice | null;
  readonly version: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly json: string;
}

/** The longest an encoded row is reused, so that staleness shows within a second even without a tick. */
const REUSE_MS = 1_000;

/** Encoded rows by symbol, groups, and the caller's reach. */
export class RowCache {
  readonly #market: MarketView;
  /** By symbol, then by the bits of groups and reach. */
  readonly #entries = new Map<PriceSymbol, (Entry | undefined)[]>();

  constructor(market: MarketView) {
    this.#market = market;
  }

  /** The row of a symbol as JSON text. */
  json(symbol: PriceSymbol, groups: Groups, caller: Caller, asOfMs: number): string {
    const price = this.#market.priceAt(symbol.instrument, asOfMs);
    const bits =
      (groups.sources ? 1 : 0) |
      (groups.karat ? 2 : 0) |
      (groups.stats ? 4 : 0) |
      (caller.reach.informationalSources ? 8 : 0) |
      (caller.reach.delayMs > 0 ? 16 : 0) |
      (groups.parts ? 32 : 0);
    const entries = this.#entries.get(symbol) ?? [];
    const known = entries[bits];
    if (
      known &&
      known.price === price &&
      known.version === this.#market.version &&
      asOfMs >= known.fromMs &&
      asOfMs < known.untilMs
    ) {
      return known.json;
    }
    const { row, validUntilMs } = presentRow(this.#market, symbol, groups, caller.reach, asOfMs);
    const json = JSON.stringify(row);
    const untilMs = Math.min(validUntilMs, asOfMs + REUSE_MS);
    entries[bits] = { price, version: this.#market.version, fromMs: asOfMs, untilMs, json };
    this.#entries.set(symbol, entries);
    return json;
  }
}
