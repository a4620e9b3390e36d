/** Groups the single options and markets of a replay file into chains and venues. */
import { chainsFrom, type DigitalMarket, type MarketsObservation, marketFrom, type OptionsObservation } from "@assay/pricing";
import { freshFor } from "../feed/freshness.ts";
import type { MarketRecord, OptionRecord, ReplayRecord } from "./replay-record.ts";

/** A file records a market when it changes: until then its book is valid, but not indefinitely. */
const BOOKS_STAND_MS = 3_600_000;
/** chainsFrom requires a spot price, which the desk will replace. */
const NO_PRICE = "1";

/** The latest options and markets; a later line replaces an earlier one of the same option or market. */
export class ReplayVenues {
  readonly #options = new Map<string, Map<string, OptionRecord>>();
  readonly #markets = new Map<string, Map<string, DigitalMarket>>();
  readonly #changedOptions = new Set<string>();
  readonly #changedMarkets = new Map<string, number | null>();

  /** Applies a record; other kinds are ignored, except that a source falls silent. */
  take(record: ReplayRecord): void {
    if (record.kind === "option") this.#takeOption(record);
    else if (record.kind === "market") this.#takeMarket(record);
    else if (record.kind === "silence") {
      // The last record of a silent source expires like that of any source that stopped.
      for (const [key, markets] of this.#markets) {
        const [first] = markets.values();
        if (first?.venue === record.source) this.#changedMarkets.set(key, null);
      }
    }
  }

  #takeOption(record: OptionRecord): void {
    const key = `${record.source} ${record.metal} ${record.style}`;
    const options = this.#options.get(key) ?? new Map<string, OptionRecord>();
    this.#options.set(key, options);
    options.set(`${record.expiry} ${record.side} ${Number(record.strike)}`, record);
    this.#changedOptions.add(key);
  }

  #takeMarket(record: MarketRecord): void {
    const key = `${record.source} ${record.metal}`;
    const markets = this.#markets.get(key) ?? new Map<string, DigitalMarket>();
    this.#markets.set(key, markets);
    markets.set(`${record.feeModel} ${record.marketId}`, marketFrom(record));
    this.#changedMarkets.set(key, BOOKS_STAND_MS);
  }

  /** The complete chains and venues that changed since the last call. */
  told(observedAtMs: number): (OptionsObservation | MarketsObservation)[] {
    const chains = [...this.#changedOptions].flatMap((key) =>
      chainsFrom([...(this.#options.get(key)?.values() ?? [])], () => NO_PRICE),
    );
    const books = [...this.#changedMarkets].flatMap(([key, stands]) => {
      const markets = [...(this.#markets.get(key)?.values() ?? [])];
      const source = markets[0]?.venue;
      return source === undefined ? [] : [{ source, markets, standForMs: stands ?? freshFor(0) }];
    });
    this.#changedOptions.clear();
    this.#changedMarkets.clear();
    return [
      ...chains.map(({ spotUsdPerOzt: _, ...chain }): OptionsObservation => {
        return { kind: "options", source: chain.venue, chain: { ...chain, underlyingUsd: null }, observedAtMs };
      }),
      ...books.map(({ source, markets, standForMs }): MarketsObservation => {
        return { kind: "markets", source, markets, standForMs, observedAtMs };
      }),
    ];
  }
}
